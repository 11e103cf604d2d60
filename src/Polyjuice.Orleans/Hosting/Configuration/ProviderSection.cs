using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Hosting.Configuration;

/// <summary>The section of one provider in a silo's configuration.</summary>
/// <param name="section">It.</param>
internal sealed class ProviderSection(IConfigurationSection section)
{
    /// <summary>The key of a connection string.</summary>
    public const string ConnectionKey = "ConnectionString";

    private static readonly string[] _ofProviders = ["ProviderType", "ConnectionName"];

    /// <summary>Binds options to it.</summary>
    /// <typeparam name="TOptions">Their type.</typeparam>
    /// <param name="options">The options.</param>
    /// <param name="others">Keys of the section that are no options.</param>
    /// <exception cref="OrleansConfigurationException">It has a key that is neither.</exception>
    public void Bind<TOptions>(OptionsBuilder<TOptions> options, params ReadOnlySpan<string> others) where TOptions : class
    {
        PolyjuiceConfiguration.CheckNames(section, typeof(TOptions), [.. _ofProviders, .. others]);
        options.Bind(section);
    }

    /// <summary>The same for options that have a connection string, which <c>ConnectionName</c> may name.</summary>
    /// <typeparam name="TOptions">Their type.</typeparam>
    /// <param name="options">The options.</param>
    /// <param name="configuration">The silo's.</param>
    /// <param name="connect">Sets the connection string.</param>
    /// <exception cref="OrleansConfigurationException">A key is unknown, or the name.</exception>
    public void Bind<TOptions>(
        OptionsBuilder<TOptions> options, IConfiguration configuration, Action<TOptions, string> connect)
        where TOptions : class
    {
        Bind(options);
        if (ConnectionString(configuration) is { } connection) options.Configure(one => connect(one, connection));
    }

    /// <summary>The section, if it has no other keys than these.</summary>
    /// <param name="keys">The keys.</param>
    /// <exception cref="OrleansConfigurationException">It has another one.</exception>
    public ProviderSection Only(params ReadOnlySpan<string> keys)
    {
        PolyjuiceConfiguration.CheckNames(section, typeof(object), [.. _ofProviders, .. keys]);
        return this;
    }

    /// <summary>
    /// The connection string of the name that <c>ConnectionName</c> says, from <c>ConnectionStrings</c> of the configuration.
    /// </summary>
    /// <param name="configuration">The silo's.</param>
    /// <returns><see langword="null"/> if the section names none.</returns>
    /// <exception cref="OrleansConfigurationException">There is none of that name.</exception>
    public string? ConnectionString(IConfiguration configuration)
    {
        if (section["ConnectionName"] is not { } name) return null;
        return configuration.GetConnectionString(name) ?? throw new OrleansConfigurationException(
            $"'{section.Path}:ConnectionName' is '{name}', and the configuration has no 'ConnectionStrings:{name}'.");
    }

    /// <summary>The same, or what <c>ConnectionString</c> says, one of which must be there.</summary>
    /// <param name="configuration">The silo's.</param>
    /// <exception cref="OrleansConfigurationException">Neither is.</exception>
    public string RequiredConnection(IConfiguration configuration) =>
        ConnectionString(configuration) ?? Required(ConnectionKey);

    /// <summary>A value that must be there.</summary>
    /// <param name="key">Its key.</param>
    /// <exception cref="OrleansConfigurationException">It is not there.</exception>
    public string Required(string key) => section[key] is { Length: > 0 } value
        ? value
        : throw new OrleansConfigurationException($"'{section.Path}:{key}' is missing.");
}
