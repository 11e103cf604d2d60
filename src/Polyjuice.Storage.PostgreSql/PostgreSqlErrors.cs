using System.Net.Sockets;
using Npgsql;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// Turns what the server says into what its operator should do. Messages name the server, the database and the schema,
/// never a password.
/// </summary>
/// <param name="location">The device's.</param>
/// <param name="schema">The schema.</param>
internal sealed class PostgreSqlErrors(string location, string schema)
{
    private const string GoesOn = "Nothing is lost, and the log goes on by itself";

    /// <summary>Where the tables are.</summary>
    public string Location => location;

    /// <summary>Whether an exception is the client's or the server's, and not the caller's own.</summary>
    public static bool IsOfServer(Exception exception) =>
        exception is NpgsqlException or TimeoutException or SocketException
        or IOException { InnerException: SocketException };

    /// <summary>What to throw in place of an exception that the client threw.</summary>
    /// <param name="exception">That one.</param>
    /// <param name="what">What was to be done, as a verb: "append to".</param>
    /// <param name="name">The segment or object; empty for all.</param>
    public Exception Explain(Exception exception, string what, string name)
    {
        var doing = name.Length == 0 ? $"Polyjuice can't {what} {location}"
            : $"Polyjuice can't {what} {location}/{name}";
        return exception switch
        {
            PostgresException answer => Answered(answer, doing),
            NpgsqlException { InnerException: TimeoutException } when exception.Message.Contains(
                "pool", StringComparison.OrdinalIgnoreCase) => new IOException(
                $"{doing}: all connections were in use for as long as a statement may take. {GoesOn}. If this lasts, "
                    + $"raise PostgreSqlLogOptions.ConnectionsMax, or find out what the server is busy with.",
                    exception),
            TimeoutException or { InnerException: TimeoutException } => new IOException(
                $"{doing}: no answer in time. {GoesOn} when there is one. If this lasts, look at the server's load "
                    + $"and locks, or raise PostgreSqlLogOptions.RequestTimeout.", exception),
            _ => new IOException(
                $"{doing}: the server can't be reached ({exception.GetBaseException().Message}). {GoesOn} when it "
                    + $"answers. If this lasts, check the host's name, its firewall, and whether the server runs.",
                    exception),
        };
    }

    /// <summary>What to throw when the server says "done", and warns that standbys may not have it.</summary>
    /// <param name="warning">What it says.</param>
    /// <param name="what">What was to be done, as a verb.</param>
    /// <param name="name">The segment.</param>
    public IOException NotReplicated(PostgresNotice warning, string what, string name) => new(
        $"Polyjuice can't {what} {location}/{name} ({warning.SqlState} {warning.MessageText}): a standby that "
            + $"synchronous_standby_names asks for may not have it. {GoesOn} when it has. If this lasts, look at the "
            + "standbys, or change synchronous_standby_names.");

    private Exception Answered(PostgresException answer, string doing)
    {
        var said = $"{doing} ({answer.SqlState} {answer.MessageText})";
        return answer.SqlState switch
        {
            // An authorization that fails, whatever the reason; and a right that is missing.
            ['2', '8', ..] =>
                new UnauthorizedAccessException($"{said}: the server does not let this user in. Check Username and "
                + $"Password, and the server's pg_hba.conf.", answer),
            PostgresErrorCodes.InsufficientPrivilege => new UnauthorizedAccessException(
                $"{said}: this user may not. It needs USAGE on schema '{schema}' and SELECT, INSERT, UPDATE and "
                    + $"DELETE on its tables; to create them, CREATE on the database or on the schema.", answer),
            PostgresErrorCodes.UndefinedTable or PostgresErrorCodes.UndefinedColumn
                or PostgresErrorCodes.InvalidSchemaName => new IOException(
                $"{said}: the tables in schema '{schema}' are not those that Polyjuice made. If somebody dropped or "
                    + $"changed them, what was committed is there no more: restore them.", answer),
            PostgresErrorCodes.InvalidCatalogName =>
                new IOException($"{said}: there is no such database. Create it, or correct Database in "
                + $"PostgreSqlLogOptions.ConnectionString.", answer),
            PostgresErrorCodes.ReadOnlySqlTransaction => new IOException(
                $"{said}: the server takes no writes. It is a standby, or default_transaction_read_only is on. Name "
                    + $"the primary, or all hosts of the cluster.", answer),
            PostgresErrorCodes.DiskFull =>
                new IOException($"{said}: the server's disk is full. {GoesOn} when there is room.", answer),
            PostgresErrorCodes.TooManyConnections => new IOException(
                $"{said}: the server has all the connections that it allows. {GoesOn}. If this lasts, lower "
                    + $"PostgreSqlLogOptions.ConnectionsMax, or raise the server's max_connections.", answer),
            PostgresErrorCodes.QueryCanceled => new IOException(
                $"{said}: it took too long, or somebody cancelled it. {GoesOn}. If this lasts, look at the server's "
                    + $"load and locks, or raise PostgreSqlLogOptions.RequestTimeout.", answer),
            PostgresErrorCodes.ProtocolViolation when answer.MessageText.Contains(
                "startup parameter", StringComparison.Ordinal) => new IOException(
                $"{said}: a pooler takes no session settings. Have it leave them out (PgBouncer: "
                    + "ignore_startup_parameters = options), and set the server's default_transaction_isolation and "
                    + "idle_in_transaction_session_timeout instead.", answer),
            PostgresErrorCodes.ProtocolViolation => new IOException(
                $"{said}: a pooler can't reach the server, or has no connection for it. {GoesOn} when it has. If this "
                    + "lasts, look at the pooler's log.", answer),
            PostgresErrorCodes.InvalidSqlStatementName or PostgresErrorCodes.DuplicatePreparedStatement =>
                new IOException(
                    $"{said}: a pooler hands sessions on after each transaction, with what others have prepared. Use "
                    + "session mode (PgBouncer: pool_mode = session for this database), or connect to the server "
                    + "itself.", answer),
            PostgresErrorCodes.AdminShutdown or PostgresErrorCodes.CrashShutdown
                or PostgresErrorCodes.CannotConnectNow => new IOException(
                    $"{said}: the server is stopping or starting. {GoesOn} when it is there again.", answer),
            _ => new IOException($"{said}: the server refused it. If this lasts, look at the server's log.", answer),
        };
    }
}
