using Microsoft.Extensions.Logging;
using Npgsql;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// The tables of one schema: what they are called, how they are made, and whether they are those that are known here.
/// </summary>
/// <param name="source">The database.</param>
/// <param name="schema">The schema; of <c>a-z 0-9 _</c>.</param>
/// <param name="errors">Turns what fails into what to do.</param>
internal sealed class PostgreSqlTables(NpgsqlDataSource source, string schema, PostgreSqlErrors errors)
{
    /// <summary>The version of the tables.</summary>
    public const int Version = 1;

    // Among all that use a database; of two that make the tables at once, one waits. Nothing else depends on it.
    private const long CreationLock = 0x706F_6C79_6A75_6963;

    /// <summary>
    /// Segments and objects, each with a number of its own: one that is deleted and made again has another.
    /// </summary>
    public string Names { get; } = $"\"{schema}\".polyjuice_names";

    /// <summary>What is in them: a row for each append, and for each piece of an object.</summary>
    public string Pieces { get; } = $"\"{schema}\".polyjuice_pieces";

    /// <summary>Locks.</summary>
    public string Leases { get; } = $"\"{schema}\".polyjuice_leases";

    private string Format { get; } = $"\"{schema}\".polyjuice_format";

    /// <summary>Looks whether the tables are there, and makes them if that is asked for.</summary>
    /// <param name="create">Whether to.</param>
    /// <param name="mayBeStandby">Whether a server does that takes no writes.</param>
    /// <param name="logger">Where to warn of a server that may lose what it has answered.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public async Task PrepareAsync(bool create, bool mayBeStandby, ILogger? logger, CancellationToken cancellationToken)
    {
        try
        {
            using var none = AmbientTransaction.Leave();
            await using var connection = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            await CheckServerAsync(connection, mayBeStandby, logger, cancellationToken).ConfigureAwait(false);
            if (await IsThereAsync(connection, cancellationToken).ConfigureAwait(false)) return;
            if (!create)
            {
                throw new IOException(
                    $"Polyjuice can't use {errors.Location}: schema '{schema}' has no tables of Polyjuice. Set "
                        + $"PostgreSqlLogOptions.CreateSchema and allow this process to create them, or name the "
                        + $"right Schema. "
                    + "If they were there before, somebody dropped them, with what was committed: restore them.");
            }

            await CreateAsync(connection, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (PostgreSqlErrors.IsOfServer(exception))
        {
            throw errors.Explain(exception, "look at", "");
        }
    }

    private async Task CheckServerAsync(
        NpgsqlConnection connection, bool mayBeStandby, ILogger? logger, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand("SELECT pg_is_in_recovery(), current_setting('fsync') = 'on' AND "
            + "current_setting('full_page_writes') = 'on'", connection);
        await using var answer = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await answer.ReadAsync(cancellationToken).ConfigureAwait(false);
        if (answer.GetBoolean(0) && !mayBeStandby) throw new IOException($"Polyjuice can't use {errors.Location}: "
            + $"the server is a standby, which takes no writes. Name the primary, or all hosts of the cluster.");
        if (!answer.GetBoolean(1) && logger is not null) PostgreSqlLog.NotDurable(logger, errors.Location);
    }

    private async Task<bool> IsThereAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        // Not to_regclass, which may answer from a cache what was so before the creation lock was there.
        await using var look = new NpgsqlCommand(
            """
            SELECT coalesce(bool_or(c.relname = 'polyjuice_format'), false), min(c.relname)::text
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1
              AND c.relname IN ('polyjuice_format', 'polyjuice_names', 'polyjuice_pieces', 'polyjuice_leases')
            """,
            connection) { Parameters = { new NpgsqlParameter<string> { TypedValue = schema } } };
        await using (var answer = await look.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false))
        {
            await answer.ReadAsync(cancellationToken).ConfigureAwait(false);
            if (!answer.GetBoolean(0))
            {
                if (answer.IsDBNull(1)) return false;
                throw new LogUnusableException(
                    $"Schema '{schema}' of {errors.Location} has a table {answer.GetString(1)} and no "
                        + $"polyjuice_format beside it, so the table is not one that Polyjuice made, or somebody "
                        + $"dropped a part. Nothing was changed. Use another Schema, or restore what is missing.");
            }
        }

        await using var version = new NpgsqlCommand($"SELECT version FROM {Format}", connection);
        if (await version.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) is not int known)
            throw new LogUnusableException($"Table polyjuice_format in schema '{schema}' of {errors.Location} has no "
                + $"row, so nobody knows what the tables are. Nothing was changed. Use another Schema, or restore "
                + $"the row.");
        if (known > Version) throw new LogVersionException($"Schema '{schema}' of {errors.Location}", known, Version);
        return true;
    }

    private async Task CreateAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        await using var transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        await RunAsync($"SELECT pg_advisory_xact_lock({CreationLock})").ConfigureAwait(false);
        if (!await IsThereAsync(connection, cancellationToken).ConfigureAwait(false))
        {
            // Not IF NOT EXISTS: that needs the right to create schemas even where there is one.
            await using (
                var look = new NpgsqlCommand(
                "SELECT NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)",
                connection) { Parameters = { new NpgsqlParameter<string> { TypedValue = schema } } })
            {
                if (await look.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) is true) await RunAsync(
                    $"CREATE SCHEMA \"{schema}\"").ConfigureAwait(false);
            }

            // Names are compared byte by byte, whatever the database's language. Batches are stored as they come:
            // they do not compress well, and a row of up to a page stays in one place.
            await RunAsync(
                $"""
                CREATE TABLE {Names} (name text COLLATE "C" PRIMARY KEY, id bigint GENERATED BY DEFAULT AS IDENTITY);
                CREATE TABLE {Pieces} (
                  id bigint NOT NULL, begins bigint NOT NULL CHECK (begins >= 0),
                  content bytea NOT NULL CHECK (length(content) > 0),
                  ends bigint NOT NULL GENERATED ALWAYS AS (begins + length(content)) STORED,
                  PRIMARY KEY (id, begins)) WITH (toast_tuple_target = 8160);
                ALTER TABLE {Pieces} ALTER COLUMN content SET STORAGE EXTERNAL;
                CREATE TABLE {Leases} (
                  name text COLLATE "C" PRIMARY KEY, token uuid NOT NULL, holder text NOT NULL, ends timestamptz NOT NULL);
                CREATE TABLE {Format} (one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL);
                INSERT INTO {Format} (version) VALUES ({Version});
                """).ConfigureAwait(false);
        }

        await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);

        async Task RunAsync(string sql)
        {
            await using var command = new NpgsqlCommand(sql, connection);
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}
