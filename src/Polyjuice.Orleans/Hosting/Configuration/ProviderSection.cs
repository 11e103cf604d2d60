using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Hosting.Configuration;

/// <summary>The section of one provider in a silo's configuration.</summary>
/// <param name="section">It.</param>
internal sealed class ProviderSection(IConfigurationSection section)
{
    private const string ConnectionString = nameof(ConnectionString);
    private const string ConnectionName = nameof(ConnectionName);
    private const string ServiceKey = nameof(ServiceKey);

    /// <summary>The keys that say where a server is: one of them must be there, and only one.</summary>
    public static string[] ConnectionKeys { get; } = [ConnectionString, ConnectionName, ServiceKey];

    /// <summary>Binds options to it.</summary>
    /// <typeparam name="TOptions">Their type.</typeparam>
    /// <param name="options">The options.</param>
    /// <param name="others">Keys of the section that are no options.</param>
    /// <exception cref="OrleansConfigurationException">It has a key that is neither.</exception>
    public void Bind<TOptions>(
        OptionsBuilder<TOptions> options, params ReadOnlySpan<string> others) where TOptions : class
    {
        PolyjuiceConfiguration.CheckNames(section, typeof(TOptions), [PolyjuiceConfiguration.ProviderType, .. others]);
        options.Bind(section);
    }

    /// <summary>
    /// The same for options that say where a server is: by a connection string, which <c>ConnectionName</c> may name,
    /// or by a client among the host's services, of which <c>ServiceKey</c> is the key.
    /// </summary>
    /// <typeparam name="TOptions">Their type.</typeparam>
    /// <typeparam name="TClient">The client's type.</typeparam>
    /// <param name="options">The options.</param>
    /// <param name="configuration">The silo's.</param>
    /// <param name="connect">Sets the connection string.</param>
    /// <param name="use">Sets the client.</param>
    /// <exception cref="OrleansConfigurationException">
    /// A key is unknown, or the name, or two keys say where it is.
    /// </exception>
    public void Bind<TOptions, TClient>(
        OptionsBuilder<TOptions> options, IConfiguration configuration, Action<TOptions, string> connect,
        Action<TOptions, TClient> use)
        where TOptions : class
        where TClient : class
    {
        Bind(options, ConnectionKeys);
        CheckConnection();
        if (Value(ServiceKey) is not null)
            options.Configure<IServiceProvider>((one, services) => use(one, Client<TClient>(services)));
        else if (NamedConnection(configuration) is { } connection)
            options.Configure(one => connect(one, connection));
    }

    /// <summary>The section, if it has no other keys than these.</summary>
    /// <param name="keys">The keys.</param>
    /// <exception cref="OrleansConfigurationException">It has another one.</exception>
    public ProviderSection Only(params ReadOnlySpan<string> keys)
    {
        PolyjuiceConfiguration.CheckNames(section, typeof(object), [PolyjuiceConfiguration.ProviderType, .. keys]);
        return this;
    }

    /// <summary>
    /// The client of the server that the section names: one of the host's services, or one that is made of a connection
    /// string.
    /// </summary>
    /// <typeparam name="TClient">Its type.</typeparam>
    /// <param name="configuration">The silo's.</param>
    /// <param name="connect">Makes one of a connection string.</param>
    /// <param name="isShared">Whether it is the host's, so that nobody here disposes of it.</param>
    /// <exception cref="OrleansConfigurationException">None of the keys is there, or more than one, or what one of them
    /// names is not there.</exception>
    public Func<IServiceProvider, TClient> ClientOf<TClient>(
        IConfiguration configuration, Func<string, TClient> connect, out bool isShared)
        where TClient : class
    {
        CheckConnection();
        isShared = Value(ServiceKey) is not null;
        if (isShared) return Client<TClient>;
        var connection = NamedConnection(configuration) ?? Value(ConnectionString)
            ?? throw new OrleansConfigurationException(
                $"'{section.Path}' does not say where the server is: one of '{ConnectionString}', '{ConnectionName}' "
                + $"and '{ServiceKey}' is missing.");
        return _ => connect(connection);
    }

    /// <summary>A value that must be there.</summary>
    /// <param name="key">Its key.</param>
    /// <exception cref="OrleansConfigurationException">It is not there.</exception>
    public string Required(string key) =>
        Value(key) ?? throw new OrleansConfigurationException($"'{section.Path}:{key}' is missing.");

    private void CheckConnection()
    {
        string[] said = [.. ConnectionKeys.Where(key => Value(key) is not null)];
        if (said.Length < 2) return;
        throw new OrleansConfigurationException(
            $"'{section.Path}' has {string.Join(" and ", said.Select(key => $"'{key}'"))}, and each of them says where "
            + "the server is: leave one of them.");
    }

    private string? NamedConnection(IConfiguration configuration)
    {
        if (Value(ConnectionName) is not { } name) return null;
        return configuration.GetConnectionString(name) ?? throw new OrleansConfigurationException(
            $"'{section.Path}:{ConnectionName}' is '{name}', and the configuration has no 'ConnectionStrings:{name}'.");
    }

    private TClient Client<TClient>(IServiceProvider services) where TClient : class
    {
        var key = Value(ServiceKey);
        return services.GetKeyedService<TClient>(key) ?? throw new OrleansConfigurationException(
            $"'{section.Path}:{ServiceKey}' is '{key}', and the host's services have no {typeof(TClient).Name} with "
            + $"that key: add one, with services.AddKeyedSingleton<{typeof(TClient).Name}>(\"{key}\", …).");
    }

    private string? Value(string key) => section[key] is { Length: > 0 } value ? value : null;
}
