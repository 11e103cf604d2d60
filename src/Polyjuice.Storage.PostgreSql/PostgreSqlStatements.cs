namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// What a device says to its database. A segment has a row for each append; rows are added and never changed, so that
/// nothing is left behind for others to skip. Immutable.
/// </summary>
internal sealed class PostgreSqlStatements
{
    public PostgreSqlStatements(PostgreSqlTables tables)
    {
        List = $"""
            SELECT n.name, {LengthOf("n.id")} FROM {tables.Names} n WHERE n.name >= $1 AND n.name < $2 ORDER BY n.name
            """;
        Length = $"SELECT {LengthOf("n.id")} FROM {tables.Names} n WHERE n.name = $1";
        Settle = $"""
            WITH segment AS MATERIALIZED (SELECT id FROM {tables.Names} WHERE name = $1 FOR KEY SHARE)
            SELECT {LengthOf("s.id")}, set_config('synchronous_commit', 'on', true) FROM segment s
            """;
        Create = $"""
            WITH made AS (INSERT INTO {tables.Names} (name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1)
            SELECT set_config('synchronous_commit', 'on', true), count(*) FROM made
            """;
        Append = $"""
            WITH segment AS MATERIALIZED (SELECT id FROM {tables.Names} WHERE name = $1 FOR KEY SHARE),
            added AS (
              INSERT INTO {tables.Pieces} (id, begins, content)
              SELECT s.id, $2, $3 FROM segment s WHERE $2 = {LengthOf("s.id")}
              ON CONFLICT DO NOTHING RETURNING 1)
            SELECT EXISTS (SELECT FROM segment), EXISTS (SELECT FROM added),
              set_config('synchronous_commit', 'on', true)
            """;
        AppendAll = $"""
            WITH wanted AS MATERIALIZED (
              SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[]) WITH ORDINALITY AS w(name, begins, content, i)),
            segment AS MATERIALIZED (
              SELECT id, name FROM {tables.Names} WHERE name = ANY($1) ORDER BY name FOR KEY SHARE),
            added AS (
              INSERT INTO {tables.Pieces} (id, begins, content)
              SELECT s.id, w.begins, w.content FROM wanted w JOIN segment s ON s.name = w.name COLLATE "C"
              WHERE w.begins = {LengthOf("s.id")} ORDER BY s.name, w.i
              ON CONFLICT DO NOTHING RETURNING id, begins)
            SELECT array_agg(s.id IS NOT NULL ORDER BY w.i), array_agg(a.id IS NOT NULL ORDER BY w.i),
              set_config('synchronous_commit', 'on', true)
            FROM wanted w LEFT JOIN segment s ON s.name = w.name COLLATE "C"
              LEFT JOIN added a ON a.id = s.id AND a.begins = w.begins
            """;
        Read = $"""
            SELECT p.begins + greatest($2 - p.begins, 0),
              substring(p.content FROM (greatest($2 - p.begins, 0) + 1)::int FOR ($3 - greatest(p.begins, $2))::int)
            FROM {tables.Names} n LEFT JOIN {tables.Pieces} p ON p.id = n.id AND p.begins < $3
              AND p.begins >= (SELECT q.begins FROM {tables.Pieces} q WHERE q.id = n.id AND q.begins <= $2
                ORDER BY q.begins DESC LIMIT 1)
            WHERE n.name = $1 ORDER BY p.begins
            """;
        TakeLease = $"""
            INSERT INTO {tables.Leases} AS l (name, token, holder, ends) VALUES ($1, $2, $3, clock_timestamp() + $4)
            ON CONFLICT (name) DO UPDATE SET token = excluded.token, holder = excluded.holder, ends = excluded.ends
            WHERE l.ends < clock_timestamp() OR l.token = excluded.token
            """;
        RenewLease = $"UPDATE {tables.Leases} SET ends = clock_timestamp() + $3 WHERE name = $1 AND token = $2";
        FindHolder = $"SELECT holder FROM {tables.Leases} WHERE name = $1";
        EndLease = $"DELETE FROM {tables.Leases} WHERE name = $1 AND token = $2";

        string LengthOf(string id) =>
            $"coalesce((SELECT p.ends FROM {tables.Pieces} p WHERE p.id = {id} ORDER BY p.begins DESC LIMIT 1), 0)";
    }

    /// <summary>Names from one to another, and how long what they name is.</summary>
    public string List { get; }

    /// <summary>How long a segment or object is.</summary>
    public string Length { get; }

    /// <summary>
    /// The length of a segment, and a change that leaves no trace: who waits for that to be where all commits are has
    /// waited for whatever the length counts.
    /// </summary>
    public string Settle { get; }

    /// <summary>Makes a segment.</summary>
    public string Create { get; }

    /// <summary>
    /// One statement, and so one transaction. The row is added if the segment ends where it begins; of two that find it
    /// so at once, the key lets one in, and the other waits until that one has been committed or is gone. The name's
    /// row is kept from being deleted meanwhile. The server's or the user's own setting of synchronous_commit does not
    /// count.
    /// </summary>
    public string Append { get; }

    /// <summary>
    /// The same for several segments, each by itself. Rows are locked and added in the order of their names, so that of
    /// two that have some in common one waits for the other.
    /// </summary>
    public string AppendAll { get; }

    /// <summary>
    /// Rows from the one that the range begins in on, cut to the range; one row of nothing if there is none.
    /// </summary>
    public string Read { get; }

    /// <summary>Takes the lock, if it is free, has ended, or was taken with the same token.</summary>
    public string TakeLease { get; }

    /// <summary>Renews the lock.</summary>
    public string RenewLease { get; }

    /// <summary>Who has the lock.</summary>
    public string FindHolder { get; }

    /// <summary>Gives the lock back.</summary>
    public string EndLease { get; }
}
