using Microsoft.Extensions.Options;
using Npgsql;
using Orleans.Configuration;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage.PostgreSql;
using Polyjuice.Storage;

namespace Orleans.Hosting;

/// <summary>Adds logs, published policies and traces in PostgreSQL.</summary>
public static class PostgreSqlSiloBuilderExtensions
{
    /// <summary>
    /// Adds logs in PostgreSQL as those that transactions use, unless <see cref="PolyjuiceOptions.LogProvider"/> names
    /// others.
    /// </summary>
    /// <param name="builder">The silos.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddPostgreSqlLogAsDefault(
        this ISiloBuilder builder, Action<PostgreSqlLogOptions> configure) =>
        builder.AddPostgreSqlLog(PolyjuiceOptions.DefaultLogProvider, configure);

    /// <inheritdoc cref="AddPostgreSqlLogAsDefault(ISiloBuilder, Action{PostgreSqlLogOptions})"/>
    public static ISiloBuilder AddPostgreSqlLogAsDefault(
        this ISiloBuilder builder, Action<OptionsBuilder<PostgreSqlLogOptions>> configure) =>
        builder.AddPostgreSqlLog(PolyjuiceOptions.DefaultLogProvider, configure);

    /// <summary>
    /// Adds logs in PostgreSQL under a name, which <see cref="PolyjuiceOptions.LogProvider"/> then chooses. Options
    /// are validated at start.
    /// </summary>
    /// <param name="builder">The silos.</param>
    /// <param name="name">The name.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddPostgreSqlLog(
        this ISiloBuilder builder, string name, Action<PostgreSqlLogOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return builder.AddPostgreSqlLog(
            name, (OptionsBuilder<PostgreSqlLogOptions> options) => options.Configure(configure));
    }

    /// <inheritdoc cref="AddPostgreSqlLog(ISiloBuilder, string, Action{PostgreSqlLogOptions})"/>
    public static ISiloBuilder AddPostgreSqlLog(
        this ISiloBuilder builder, string name, Action<OptionsBuilder<PostgreSqlLogOptions>> configure) =>
        builder.AddLog<PostgreSqlLogOptions, PostgreSqlLogOptionsValidator>(
            name, configure, "Polyjuice.Storage.PostgreSql", PostgreSqlLogStore.OpenAsync);

    /// <summary>
    /// Follows the policies that are published in a database, as
    /// <see cref="PolyjuiceSiloBuilderExtensions.AddFilePolicyStore"/> does those in a folder.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="dataSource">Finds or makes the data source, with its bounds on connections; whoever made it
    /// disposes it.</param>
    /// <param name="schema">The schema that the tables are in; as
    /// <see cref="Orleans.Configuration.PostgreSqlLogOptions.Schema"/>.</param>
    /// <param name="prefix">Tells several places in one schema apart; as
    /// <see cref="Orleans.Configuration.PostgreSqlLogOptions.KeyPrefix"/>.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddPostgreSqlPolicyStore(
        this ISiloBuilder builder, Func<IServiceProvider, NpgsqlDataSource> dataSource, string schema = "polyjuice",
            string prefix = "", Action<PublishedPoliciesOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(dataSource);
        ArgumentNullException.ThrowIfNull(schema);
        ArgumentNullException.ThrowIfNull(prefix);
        return builder.AddPolicyStore(
            services => new PostgreSqlPolicyEntries(dataSource(services), schema, prefix), configure);
    }

    /// <summary>
    /// Has the silo record traces from its start on, into a database, as
    /// <see cref="PolyjuiceSiloBuilderExtensions.AddFileTraces"/> does into a folder.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="dataSource">Finds or makes the data source, with its bounds on connections; whoever made it
    /// disposes it.</param>
    /// <param name="schema">The schema that the tables are in; as
    /// <see cref="PostgreSqlLogOptions.Schema"/>.</param>
    /// <param name="prefix">Tells several places in one schema apart; as
    /// <see cref="PostgreSqlLogOptions.KeyPrefix"/>.</param>
    public static ISiloBuilder AddPostgreSqlTraces(
        this ISiloBuilder builder, Func<IServiceProvider, NpgsqlDataSource> dataSource, string schema = "polyjuice",
        string prefix = "")
    {
        ArgumentNullException.ThrowIfNull(dataSource);
        ArgumentNullException.ThrowIfNull(schema);
        ArgumentNullException.ThrowIfNull(prefix);
        return builder.AddTraces(services => new PostgreSqlTraceSink(dataSource(services), schema, prefix));
    }
}
