using Microsoft.Extensions.Logging;
using Npgsql;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// Whether sessions are such as a log needs: those of the application's own data source, and those that a pooler
/// between this process and the server hands out.
/// </summary>
/// <param name="source">The database.</param>
/// <param name="errors">Turns what fails into what to do.</param>
internal sealed class PostgreSqlSessions(NpgsqlDataSource source, PostgreSqlErrors errors)
{
    private const int Rounds = 3;

    /// <summary>Looks at one.</summary>
    /// <param name="logger">Where to warn of what may hold up others.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">They are not; the message says what to change.</exception>
    public async Task CheckAsync(ILogger logger, CancellationToken cancellationToken)
    {
        try
        {
            using var none = AmbientTransaction.Leave();
            await using var connection = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            await CheckPoolerAsync(connection, cancellationToken).ConfigureAwait(false);
            await CheckSettingsAsync(connection, logger, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (PostgreSqlErrors.IsOfServer(exception))
        {
            throw errors.Explain(exception, "look at", "");
        }
    }

    // A pooler gives its clients process numbers of its own. One that lends a server's session for a transaction alone
    // gives it to the next who begins one, and the first gets another one then.
    private async Task CheckPoolerAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        var own = await ProcessAsync(connection, cancellationToken).ConfigureAwait(false);
        if (own == connection.ProcessID) return;
        for (var round = 0; round < Rounds; round++)
        {
            await using var other = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            await using var transaction = await other.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
            var others = await ProcessAsync(other, cancellationToken).ConfigureAwait(false);
            if (others != own && await ProcessAsync(connection, cancellationToken).ConfigureAwait(false) == own)
                continue;
            throw new IOException(
                $"Polyjuice can't use {errors.Location}: a pooler hands its sessions on after each transaction, and a "
                    + "log needs one that stays. Use session mode (PgBouncer: pool_mode = session for this "
                    + "database), or connect to the server itself.");
        }
    }

    private static async Task<int> ProcessAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand("SELECT pg_backend_pid()", connection);
        return (int)(await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!;
    }

    private async Task CheckSettingsAsync(
        NpgsqlConnection connection, ILogger logger, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(
            """
            SELECT current_setting('default_transaction_isolation'), inet_server_addr() IS NOT NULL,
              (SELECT setting::bigint FROM pg_settings WHERE name = 'tcp_keepalives_idle')
                + (SELECT setting::bigint FROM pg_settings WHERE name = 'tcp_keepalives_interval')
                * (SELECT setting::bigint FROM pg_settings WHERE name = 'tcp_keepalives_count'),
              (SELECT setting::bigint FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout')
            """,
            connection);
        await using var answer = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await answer.ReadAsync(cancellationToken).ConfigureAwait(false);
        if (answer.GetString(0) is not "read committed" and var isolation)
        {
            throw new IOException(
                $"Polyjuice can't use {errors.Location}: its sessions' default_transaction_isolation is '{isolation}', "
                    + "and it must be 'read committed'. PostgreSqlLogOptions.DataSource, a pooler or the "
                    + "server has set it so.");
        }

        // In seconds. A socket of the machine itself has no other machine to lose.
        var keepAlive = answer.GetInt64(2);
        var isRemote = answer.GetBoolean(1);
        if ((!isRemote || keepAlive is > 0 and <= 60) && answer.GetInt64(3) > 0) return;
        PostgreSqlLog.LongSessions(
            logger, errors.Location,
            isRemote ? $"keep-alives after {keepAlive} s" : "idle_in_transaction_session_timeout is 0",
            $"Options={PostgreSqlDataSources.SessionOptions}");
    }
}
