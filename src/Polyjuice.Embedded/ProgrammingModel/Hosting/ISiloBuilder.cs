using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Hosting;

/// <summary>Configures the silos of this process.</summary>
public interface ISiloBuilder
{
    /// <summary>The process's services.</summary>
    IServiceCollection Services { get; }

    /// <summary>The process's configuration.</summary>
    IConfiguration Configuration { get; }
}

/// <inheritdoc/>
internal sealed class SiloBuilder(IServiceCollection services, IConfiguration configuration) : ISiloBuilder
{
    /// <inheritdoc/>
    public IServiceCollection Services { get; } = services;

    /// <inheritdoc/>
    public IConfiguration Configuration { get; } = configuration;
}
