using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Providers;
using Polyjuice.Orleans.Hosting.Configuration;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage.PostgreSql.Hosting;

[assembly: RegisterProvider(
    "PostgreSql", PolyjuiceProviders.Logs, PolyjuiceProviders.Target, typeof(PostgreSqlLogProviderBuilder))]
[assembly: RegisterProvider(
    "PostgreSql", PolyjuiceProviders.PolicyStore, PolyjuiceProviders.Target,
    typeof(PostgreSqlPolicyStoreProviderBuilder))]
[assembly: RegisterProvider(
    "PostgreSql", PolyjuiceProviders.Traces, PolyjuiceProviders.Target, typeof(PostgreSqlTraceProviderBuilder))]

namespace Polyjuice.Storage.PostgreSql.Hosting;

/// <summary>
/// Logs in PostgreSQL: <c>Polyjuice:Logs:NAME:ProviderType</c> is <c>PostgreSql</c>, with <c>ConnectionString</c>,
/// <c>ConnectionName</c> or <c>ServiceKey</c> (of an <see cref="NpgsqlDataSource"/>) and the other options.
/// </summary>
internal sealed class PostgreSqlLogProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        builder.AddPostgreSqlLog(name!, options => section.Bind<PostgreSqlLogOptions, NpgsqlDataSource>(
            options, builder.Configuration, (logs, connection) => logs.ConnectionString = connection,
            (logs, source) => logs.DataSource = source));
    }
}

/// <summary>
/// The database that a section names, by <c>ConnectionString</c>, <c>ConnectionName</c> or <c>ServiceKey</c>, and where
/// in it, if that is not schema <c>polyjuice</c> without a prefix, by <c>Schema</c> and <c>Prefix</c>.
/// </summary>
internal static class DatabaseSection
{
    private const string Schema = nameof(Schema);
    private const string Prefix = nameof(Prefix);

    /// <summary>The keys.</summary>
    public static string[] Keys { get; } = [.. ProviderSection.ConnectionKeys, Schema, Prefix];

    /// <summary>
    /// Finds the database. One that is made of a connection string is among the services, under the name of what is
    /// kept there, so that the container disposes of it with the silo.
    /// </summary>
    public static Func<IServiceProvider, NpgsqlDataSource> DatabaseOf(
        ISiloBuilder builder, ProviderSection section, string kind)
    {
        var source = section.ClientOf(builder.Configuration, NpgsqlDataSource.Create, out var isShared);
        if (isShared) return source;
        builder.Services.AddKeyedSingleton(kind, (services, _) => source(services));
        return services => services.GetRequiredKeyedService<NpgsqlDataSource>(kind);
    }

    /// <summary>Where in the database.</summary>
    public static (string Schema, string Prefix) PlaceOf(IConfigurationSection section) =>
        (section[Schema] ?? "polyjuice", section[Prefix] ?? "");
}

/// <summary>Policies in PostgreSQL: <c>Polyjuice:PolicyStore:ProviderType</c> is <c>PostgreSql</c>.</summary>
internal sealed class PostgreSqlPolicyStoreProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection);
        section.Bind(builder.Services.AddOptions<PublishedPoliciesOptions>(), DatabaseSection.Keys);
        var database = DatabaseSection.DatabaseOf(builder, section, PolyjuiceProviders.PolicyStore);
        var (schema, prefix) = DatabaseSection.PlaceOf(configurationSection);
        builder.AddPostgreSqlPolicyStore(database, schema, prefix);
    }
}

/// <summary>Traces in PostgreSQL: <c>Polyjuice:Traces:ProviderType</c> is <c>PostgreSql</c>.</summary>
internal sealed class PostgreSqlTraceProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection).Only(DatabaseSection.Keys);
        var database = DatabaseSection.DatabaseOf(builder, section, PolyjuiceProviders.Traces);
        var (schema, prefix) = DatabaseSection.PlaceOf(configurationSection);
        builder.AddConfiguredTraces(services => new PostgreSqlTraceSink(database(services), schema, prefix));
    }
}
