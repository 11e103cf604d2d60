using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>Makes the data source that options ask for.</summary>
internal static class PostgreSqlDataSources
{
    // A backend that has an append and not yet the end of it waits for its client, and rivals wait for the backend. If
    // the client's machine is gone, keep-alives end that after 25 s; by default they would after two hours.
    // An object is put in one transaction, which waits for its content; nobody waits for ten minutes.
    internal const string SessionOptions =
        "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c "
            + "idle_in_transaction_session_timeout=600000 -c default_transaction_isolation=read\\ committed";

    /// <summary>The application's, if it has given one, or a new one.</summary>
    public static NpgsqlDataSource Of(PostgreSqlLogOptions options) => options.DataSource switch
    {
        // The one that takes writes.
        NpgsqlMultiHostDataSource several => several.WithTargetSession(TargetSessionAttributes.Primary),
        { } source => source,
        null => Create(options),
    };

    public static NpgsqlDataSource Create(PostgreSqlLogOptions options)
    {
        var builder = new NpgsqlDataSourceBuilder(options.ConnectionString);
        var connection = builder.ConnectionStringBuilder;
        connection.MaxPoolSize = options.ConnectionsMax;
        connection.MinPoolSize = Math.Min(connection.MinPoolSize, options.ConnectionsMax);
        connection.Timeout = Seconds(options.RequestTimeout);
        connection.CommandTimeout = Seconds(options.RequestTimeout);

        // A batch is no part of whatever transaction the caller happens to be in.
        connection.Enlist = false;

        // Sessions are never changed, so there is nothing to reset; and an append is one trip to a prepared statement.
        connection.NoResetOnClose = true;
        connection.MaxAutoPrepare = Math.Max(connection.MaxAutoPrepare, 20);
        connection.AutoPrepareMinUsages = 2;
        connection.ApplicationName ??= "Polyjuice";
        connection.Options = $"{connection.Options} {SessionOptions}".TrimStart();
        options.ConfigureDataSource?.Invoke(builder);
        return connection.Host?.Contains(',', StringComparison.Ordinal) == true
            ? builder.BuildMultiHost().WithTargetSession(TargetSessionAttributes.Primary)
            : builder.Build();
    }

    private static int Seconds(TimeSpan timeout) => (int)Math.Ceiling(timeout.TotalSeconds);
}
