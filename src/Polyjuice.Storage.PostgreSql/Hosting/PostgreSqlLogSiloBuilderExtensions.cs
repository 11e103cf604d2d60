using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Storage;
using Polyjuice.Storage.PostgreSql;

namespace Orleans.Hosting;

/// <summary>Adds transaction logs in PostgreSQL.</summary>
public static class PostgreSqlLogSiloBuilderExtensions
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
}
