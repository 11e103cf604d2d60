using System.Data;
using Npgsql;

namespace Polyjuice.Storage.PostgreSql;

// Segments: a row for each append. Rows are added and never changed, so that nothing is left behind for others to skip.
internal sealed partial class PostgreSqlLogDevice
{
    private readonly string _create;
    private readonly string _append;
    private readonly string _read;
    private readonly string _settle;

    /// <inheritdoc/>
    public async ValueTask CreateAsync(string segment, CancellationToken cancellationToken) =>
        await ExecuteAsync("create", segment, _create, cancellationToken, Text(_prefix + segment))
            .ConfigureAwait(false);

    /// <inheritdoc/>
    public ValueTask<DeviceAppendResult> AppendAsync(
        string segment, long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bytes.Length, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes.Length, AppendBytesMax);

        // Never repeated here: an append whose answer got lost is unknown, and who asked looks for it and goes on.
        return new(DoubtUnlessDoneAsync(
            segment,
            () => CommitAsync(
                "append to", segment, _append,
                answer => !answer.GetBoolean(0) ? throw NotThere(segment)
                    : answer.GetBoolean(1) ? DeviceAppendResult.Appended : DeviceAppendResult.Conflict,
                cancellationToken, Text(_prefix + segment), Value(offset), Value(bytes))));
    }

    /// <inheritdoc/>
    public ValueTask<int> ReadAsync(
        string name, long offset, Memory<byte> buffer, CancellationToken cancellationToken) => new(RunAsync(
        "read", name,
        async () =>
        {
            await using var command = Command(
                _read, Text(_prefix + name), Value(offset), Value(offset + buffer.Length));
            await using var answer = await command.ExecuteReaderAsync(
                CommandBehavior.SequentialAccess, cancellationToken).ConfigureAwait(false);
            var (isThere, read) = (false, 0);
            while (await answer.ReadAsync(cancellationToken).ConfigureAwait(false))
            {
                isThere = true;
                if (answer.IsDBNull(0)) break;
                var begins = answer.GetInt64(0);
                if (begins != offset + read)
                {
                    throw new LogDamagedException(
                        Location, name, offset + read, $"rows are missing: the next one begins at {begins}");
                }

                await using var content = await answer.GetStreamAsync(1, cancellationToken).ConfigureAwait(false);
                read += await content.ReadAtLeastAsync(
                    buffer[read..], buffer.Length - read, throwOnEndOfStream: false, cancellationToken).ConfigureAwait(false);
            }

            return isThere ? read : throw NotThere(name);
        },
        cancellationToken));

    /// <summary>
    /// The length as the others say it, and a change that leaves no trace: who waits for that to be where all commits
    /// are has waited for whatever the length counts.
    /// </summary>
    private string SettleStatement() =>
        $"""
        WITH segment AS MATERIALIZED (SELECT id FROM {Tables.Names} WHERE name = $1 FOR KEY SHARE)
        SELECT {Length("s.id")}, set_config('synchronous_commit', 'on', true) FROM segment s
        """;

    private string CreateStatement() =>
        $"""
        WITH made AS (INSERT INTO {Tables.Names} (name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1)
        SELECT set_config('synchronous_commit', 'on', true), count(*) FROM made
        """;

    /// <summary>
    /// One statement, and so one transaction. The row is added if the segment ends where it begins; of two that find
    /// it so at once, the key lets one in, and the other waits until that one has been committed or is gone. The
    /// name's row is kept from being deleted meanwhile. The server's or the user's own setting of synchronous_commit
    /// does not count.
    /// </summary>
    private string AppendStatement() =>
        $"""
        WITH segment AS MATERIALIZED (SELECT id FROM {Tables.Names} WHERE name = $1 FOR KEY SHARE),
        added AS (
          INSERT INTO {Tables.Pieces} (id, begins, content)
          SELECT s.id, $2, $3 FROM segment s WHERE $2 = {Length("s.id")}
          ON CONFLICT DO NOTHING RETURNING 1)
        SELECT EXISTS (SELECT FROM segment), EXISTS (SELECT FROM added), set_config('synchronous_commit', 'on', true)
        """;

    /// <summary>
    /// Rows from the one that the range begins in on, cut to the range; one row of nothing if there is none.
    /// </summary>
    private string ReadStatement() =>
        $"""
        SELECT p.begins + greatest($2 - p.begins, 0),
          substring(p.content FROM (greatest($2 - p.begins, 0) + 1)::int FOR ($3 - greatest(p.begins, $2))::int)
        FROM {Tables.Names} n LEFT JOIN {Tables.Pieces} p ON p.id = n.id AND p.begins < $3
          AND p.begins >= (SELECT q.begins FROM {Tables.Pieces} q WHERE q.id = n.id AND q.begins <= $2
            ORDER BY q.begins DESC LIMIT 1)
        WHERE n.name = $1 ORDER BY p.begins
        """;
}
