using Npgsql;

namespace Polyjuice.Storage.PostgreSql;

// Objects: rows that nobody finds before the name says their number, all in one transaction.
internal sealed partial class PostgreSqlLogDevice
{
    /// <inheritdoc/>
    public ValueTask<bool> PutAsync(
        string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
        CancellationToken cancellationToken) =>
        new(DoubtUnlessDoneAsync(name, () => PutCoreAsync(name, content, overwrite, cancellationToken)));

    private async Task<bool> PutCoreAsync(
        string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
        CancellationToken cancellationToken)
    {
        // No ConfigureAwait(false) up to where the content has been read: it comes where the caller is.
        if (!overwrite
            && await ScalarAsync("look at", name, _length, cancellationToken, Text(_prefix + name)) is not null)
            return false;
        await using var connection = await RunAsync(
            "write", name, () => _source.OpenConnectionAsync(cancellationToken).AsTask(), cancellationToken);
        PostgresNotice? warning = null;
        connection.Notice += (_, said) => warning = WarningOf(said.Notice) ?? warning;
        await using var transaction = await RunAsync(
            "write", name, () => connection.BeginTransactionAsync(cancellationToken).AsTask(), cancellationToken);
        var id = await RunAsync("write", name, () => BeginAsync(connection, cancellationToken), cancellationToken);
        var piece = new byte[_settings.PieceBytes];
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
        var isPut = await RunAsync(
            "write", name, () => EndAsync(connection, transaction, name, id, overwrite, cancellationToken),
            cancellationToken).ConfigureAwait(false);
        return warning is null ? isPut : throw _errors.NotReplicated(warning, "write", name);

        async Task WritePieceAsync()
        {
            await RunAsync(
                "write", name,
                async () =>
                {
                    await using var command = Command(
                        $"INSERT INTO {Tables.Pieces} (id, begins, content) VALUES ($1, $2, $3)", connection,
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
        await using var command = Command(
            "SELECT nextval(pg_get_serial_sequence($1, 'id')), set_config('synchronous_commit', 'on', true)",
            connection, Text(Tables.Names));
        return (long)(await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!;
    }

    private async Task<bool> EndAsync(
        NpgsqlConnection connection, NpgsqlTransaction transaction, string name, long id, bool overwrite,
        CancellationToken cancellationToken)
    {
        while (true)
        {
            await using var add = Command(
                $"INSERT INTO {Tables.Names} (name, id) VALUES ($1, $2) ON CONFLICT DO NOTHING", connection,
                Text(_prefix + name), Value(id));
            if (await add.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false) == 1) break;
            if (!overwrite) return false;

            // From here on nobody else can put or delete it, so no request that comes late replaces something newer.
            await using var find = Command(
                $"SELECT id FROM {Tables.Names} WHERE name = $1 FOR UPDATE", connection, Text(_prefix + name));
            if (await find.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) is not long before) continue;
            await using var replace = Command(
                $"UPDATE {Tables.Names} SET id = $2 WHERE name = $1", connection, Text(_prefix + name), Value(id));
            await replace.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            await using var remove = Command($"DELETE FROM {Tables.Pieces} WHERE id = $1", connection, Value(before));
            await remove.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            break;
        }

        await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        return true;
    }
}
