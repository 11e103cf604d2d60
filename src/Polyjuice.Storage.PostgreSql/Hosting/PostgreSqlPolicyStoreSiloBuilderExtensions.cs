using Npgsql;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage.PostgreSql;

namespace Orleans.Hosting;

/// <summary>Has silos follow policies that are published in PostgreSQL.</summary>
public static class PostgreSqlPolicyStoreSiloBuilderExtensions
{
    /// <summary>
    /// Follows the policies that are published in a database, as
    /// <see cref="PolicyStoreSiloBuilderExtensions.AddFilePolicyStore"/> does those in a folder.
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
}
