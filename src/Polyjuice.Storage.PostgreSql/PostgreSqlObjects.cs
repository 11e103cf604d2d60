using Npgsql;
using static Polyjuice.Storage.PostgreSql.PostgreSqlRequests;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// Writes objects: rows that nobody finds before the name says their number, all in one transaction. Thread-safe.
/// </summary>
/// <param name="requests">Runs statements.</param>
/// <param name="tables">What the tables are called.</param>
/// <param name="errors">Turns what fails into what to do.</param>
/// <param name="prefix">What all names begin with.</param>
/// <param name="pieceBytes">An object's rows have at most so many bytes.</param>
internal sealed class PostgreSqlObjects(
    PostgreSqlRequests requests, PostgreSqlTables tables, PostgreSqlErrors errors, string prefix, int pieceBytes)
{
    /// <summary>Writes one.</summary>
    /// <returns>Whether it is there now; not, if there is one of that name that must not be overwritten.</returns>
    public async Task<bool> PutAsync(
        string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
        CancellationToken cancellationToken)
    {
        // No ConfigureAwait(false) up to where the content has been read: it comes where the caller is.
        await using var connection = await requests.RunAsync(
            "write", name, () => requests.ConnectAsync(cancellationToken).AsTask(), cancellationToken);
        var standbys = new StandbyWarning(connection);
        await using var transaction = await requests.RunAsync(
            "write", name, () => connection.BeginTransactionAsync(cancellationToken).AsTask(), cancellationToken);
        var id = await requests.RunAsync(
            "write", name, () => BeginAsync(connection, cancellationToken), cancellationToken);
        var piece = new byte[pieceBytes];
        var (begins, length) = (0L, 0);
        await foreach (var some in content.WithCancellation(cancellationToken))
        {
            for (var rest = some; rest.Length > 0;)
            {
                var taken = Math.Min(rest.Length, piece.Length - length);
                rest[..taken].CopyTo(piece.AsMemory(length));
                rest = rest[taken..];
                length += taken;
                if (length == piece.Length) await WritePieceAsync();
            }
        }

        if (length > 0) await WritePieceAsync();
        var isPut = await requests.RunAsync(
            "write", name, () => EndAsync(connection, transaction, name, id, overwrite, cancellationToken),
            cancellationToken).ConfigureAwait(false);
        standbys.Require(errors, "write", name);
        return isPut;

        async Task WritePieceAsync()
        {
            await requests.RunAsync(
                "write", name,
                async () =>
                {
                    await using var command = requests.Command(
                        $"INSERT INTO {tables.Pieces} (id, begins, content) VALUES ($1, $2, $3)", connection,
                        Value(id), Value(begins), Value<ReadOnlyMemory<byte>>(piece.AsMemory(0, length)));
                    return await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
                },
                cancellationToken);
            begins += length;
            length = 0;
        }
    }

    private async Task<long> BeginAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        await using var command = requests.Command(
            "SELECT nextval(pg_get_serial_sequence($1, 'id')), set_config('synchronous_commit', 'on', true)",
            connection, Text(tables.Names));
        return (long)(await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!;
    }

    private async Task<bool> EndAsync(
        NpgsqlConnection connection, NpgsqlTransaction transaction, string name, long id, bool overwrite,
        CancellationToken cancellationToken)
    {
        while (true)
        {
            await using var add = requests.Command(
                $"INSERT INTO {tables.Names} (name, id) VALUES ($1, $2) ON CONFLICT DO NOTHING", connection,
                Text(prefix + name), Value(id));
            if (await add.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false) == 1) break;
            if (!overwrite) return false;

            // From here on nobody else can put or delete it, so no request that comes late replaces something newer.
            await using var find = requests.Command(
                $"SELECT id FROM {tables.Names} WHERE name = $1 FOR UPDATE", connection, Text(prefix + name));
            if (await find.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) is not long before) continue;
            await using var replace = requests.Command(
                $"UPDATE {tables.Names} SET id = $2 WHERE name = $1", connection, Text(prefix + name), Value(id));
            await replace.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            await using var remove = requests.Command(
                $"DELETE FROM {tables.Pieces} WHERE id = $1", connection, Value(before));
            await remove.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            break;
        }

        await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        return true;
    }
}
