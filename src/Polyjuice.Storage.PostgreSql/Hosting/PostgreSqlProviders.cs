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
/// The database that a section names, by <c>ConnectionString</c> or <c>ConnectionName</c>, and where in it, if that is
/// not schema <c>polyjuice</c> without a prefix, by <c>Schema</c> and <c>Prefix</c>.
/// </summary>
internal static class DatabaseSection
{
    /// <summary>The keys.</summary>
    public static string[] Keys { get; } = [ProviderSection.ConnectionKey, Schema, Prefix];

    private const string Schema = nameof(Schema);
    private const string Prefix = nameof(Prefix);

    /// <summary>Adds the database under the name of what is kept there: the container disposes of it with the silo.</summary>
    public static void AddDatabase(ISiloBuilder builder, ProviderSection section, string kind)
    {
        var connection = section.RequiredConnection(builder.Configuration);
        builder.Services.AddKeyedSingleton(kind, (_, _) => NpgsqlDataSource.Create(connection));
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
        DatabaseSection.AddDatabase(builder, section, PolyjuiceProviders.PolicyStore);
        var (schema, prefix) = DatabaseSection.PlaceOf(configurationSection);
        builder.AddPostgreSqlPolicyStore(
            services => services.GetRequiredKeyedService<NpgsqlDataSource>(PolyjuiceProviders.PolicyStore), schema, prefix);
    }
}

/// <summary>Traces in PostgreSQL: <c>Polyjuice:Traces:ProviderType</c> is <c>PostgreSql</c>.</summary>
internal sealed class PostgreSqlTraceProviderBuilder : IProviderBuilder<ISiloBuilder>
{
    /// <inheritdoc/>
    public void Configure(ISiloBuilder builder, string? name, IConfigurationSection configurationSection)
    {
        var section = new ProviderSection(configurationSection).Only(DatabaseSection.Keys);
        DatabaseSection.AddDatabase(builder, section, PolyjuiceProviders.Traces);
        var (schema, prefix) = DatabaseSection.PlaceOf(configurationSection);
        builder.Services.AddOptions<PolyjuiceOptions>().Configure<IServiceProvider>((options, services) =>
            options.TraceSink = new PostgreSqlTraceSink(
                services.GetRequiredKeyedService<NpgsqlDataSource>(PolyjuiceProviders.Traces), schema, prefix));
    }
}
