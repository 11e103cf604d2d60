using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Polyjuice.Orleans.Hosting.Configuration;

/// <summary>
/// Options from a part of the section <c>Polyjuice</c>, for what is added to a host's services and not to a silo, where
/// there may be no configuration.
/// </summary>
/// <typeparam name="TOptions">Their type.</typeparam>
/// <param name="key">The part's key.</param>
/// <param name="services">The host's.</param>
internal sealed class SectionOptions<TOptions>(string key, IServiceProvider services) : IConfigureOptions<TOptions>
    where TOptions : class
{
    /// <inheritdoc/>
    public void Configure(TOptions options)
    {
        if (services.GetService<IConfiguration>() is not { } configuration) return;
        var section = configuration.GetSection(PolyjuiceConfiguration.Section).GetSection(key);
        PolyjuiceConfiguration.CheckNames(section, typeof(TOptions));
        section.Bind(options);
    }
}
