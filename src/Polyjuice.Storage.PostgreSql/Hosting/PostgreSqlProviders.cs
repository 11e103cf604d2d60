using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Providers;
using Polyjuice.Orleans.Hosting.Configuration;
using Polyjuice.Policies.Following;
using Polyjuice.Storage.PostgreSql.Hosting;

[assembly: RegisterProvider("PostgreSql", PolyjuiceProviders.Logs, PolyjuiceProviders.Target, typeof(PostgreSqlLogProviderBuilder))]
[assembly: RegisterProvider(
    "PostgreSql", PolyjuiceProviders.PolicyStore, PolyjuiceProviders.Target, typeof(PostgreSqlPolicyStoreProviderBuilder))]
[assembly: RegisterProvider("PostgreSql", PolyjuiceProviders.Traces, PolyjuiceProviders.Target, typeof(PostgreSqlTraceProviderBuilder))]

namespace Polyjuice.Storage.PostgreSql.Hosting;

/// <summary>
/// Logs in PostgreSQL: <c>Polyjuice:Logs:NAME:ProviderType</c> is <c>PostgreSql</c>, with <c>ConnectionString</c> or
/// <c>ConnectionName</c> and the other options.
/// </summary>
internal sealed class PostgreSqlLogProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        builder.AddPostgreSqlLog(name!, options => section.Bind(
            options, builder.Configuration, (logs, connection) => logs.ConnectionString = connection));
    }
}

/// <summary>
/// Policies in PostgreSQL: <c>Polyjuice:PolicyStore:ProviderType</c> is <c>PostgreSql</c>, with <c>ConnectionString</c> or
/// <c>ConnectionName</c> and, if they are not <c>polyjuice</c> and nothing, <c>Schema</c> and <c>Prefix</c>.
/// </summary>
internal sealed class PostgreSqlPolicyStoreProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    private const string Schema = nameof(Schema);
    private const string Prefix = nameof(Prefix);

    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        section.Bind(builder.Services.AddOptions<PublishedPoliciesOptions>(), ProviderSection.ConnectionKey, Schema, Prefix);
        var connection = section.RequiredConnection(builder.Configuration);

        // By the container, which disposes of it with the silo.
        builder.Services.AddKeyedSingleton(PolyjuiceProviders.PolicyStore, (_, _) => NpgsqlDataSource.Create(connection));
        builder.AddPostgreSqlPolicyStore(
            services => services.GetRequiredKeyedService<NpgsqlDataSource>(PolyjuiceProviders.PolicyStore),
            configurationSection[Schema] ?? "polyjuice", configurationSection[Prefix] ?? "");
    }
}

/// <summary>
/// Traces in PostgreSQL: <c>Polyjuice:Traces:ProviderType</c> is <c>PostgreSql</c>, with <c>ConnectionString</c> or
/// <c>ConnectionName</c> and, if they are not <c>polyjuice</c> and nothing, <c>Schema</c> and <c>Prefix</c>.
/// </summary>
internal sealed class PostgreSqlTraceProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    private const string Schema = nameof(Schema);
    private const string Prefix = nameof(Prefix);

    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection).Only(ProviderSection.ConnectionKey, Schema, Prefix);
        var connection = section.RequiredConnection(builder.Configuration);

        // By the container, which disposes of it with the silo.
        builder.Services.AddKeyedSingleton(PolyjuiceProviders.Traces, (_, _) => NpgsqlDataSource.Create(connection));
        builder.Services.AddOptions<PolyjuiceOptions>().Configure<IServiceProvider>((options, services) =>
            options.TraceSink = new PostgreSqlTraceSink(
                services.GetRequiredKeyedService<NpgsqlDataSource>(PolyjuiceProviders.Traces),
                configurationSection[Schema] ?? "polyjuice", configurationSection[Prefix] ?? ""));
    }
}
