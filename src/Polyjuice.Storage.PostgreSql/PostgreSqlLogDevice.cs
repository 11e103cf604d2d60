using System.Data;
using Npgsql;
using Orleans.Configuration;
using static Polyjuice.Storage.PostgreSql.PostgreSqlRequests;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// A database: segments and objects are names with rows. The key of the rows is the fence of appends, so several
/// processes may use it at once.
/// </summary>
internal sealed class PostgreSqlLogDevice : ILogDevice
{
    /// <summary>Of one statement.</summary>
    public const int AppendBytes = 4 << 20;

    // Above all characters that names have.
    private const string AboveAll = "\x7f";

    private readonly NpgsqlDataSource _source;
    private readonly PostgreSqlRequests _requests;
    private readonly PostgreSqlStatements _statements;
    private readonly PostgreSqlLeases _leases;
    private readonly PostgreSqlObjects _objects;
    private readonly AppendGroups _appends;
    private readonly WriteDoubts _doubts = new();
    private readonly string _prefix;
    private readonly bool _ownsSource;

    // The device itself, and its locks, which are given back after it.
    private int _users = 1;
    private int _isDisposed;

    public PostgreSqlLogDevice(NpgsqlDataSource source, PostgreSqlDeviceSettings settings, bool ownsSource)
    {
        _source = source;
        _ownsSource = ownsSource;
        var prefix = settings.Prefix.TrimEnd('/');

        // No prefix and no name has a colon, so no prefix is ever taken for the beginning of another one's names.
        _prefix = $"{settings.Kind}/{prefix}:";
        Location = $"{LocationOf(source)}/{settings.Schema}/{prefix}".TrimEnd('/');
        var errors = new PostgreSqlErrors(Location, settings.Schema);
        Tables = new PostgreSqlTables(source, settings.Schema, errors);
        Sessions = new PostgreSqlSessions(source, errors);
        _requests = new PostgreSqlRequests(source, settings.RequestTimeout, errors);
        _statements = new PostgreSqlStatements(Tables);
        _appends = new AppendGroups(_requests, _statements, _prefix);
        _leases = new PostgreSqlLeases(_requests, _statements, settings, _prefix, Location);
        _objects = new PostgreSqlObjects(_requests, Tables, errors, _prefix, settings.PieceBytes);
    }

    /// <summary>Where something else than logs is kept, in a data source of the caller's.</summary>
    /// <param name="source">The database.</param>
    /// <param name="kind">What is kept.</param>
    /// <param name="schema">As <see cref="PostgreSqlLogOptions.Schema"/>.</param>
    /// <param name="prefix">As <see cref="PostgreSqlLogOptions.KeyPrefix"/>.</param>
    /// <exception cref="ArgumentException">The schema or the prefix can't be one.</exception>
    public static PostgreSqlLogDevice OfContent(NpgsqlDataSource source, string kind, string schema, string prefix)
    {
        ArgumentNullException.ThrowIfNull(source);
        var rules = new PostgreSqlLogOptions();
        var settings = new PostgreSqlDeviceSettings
        {
            Kind = kind,
            Schema = DeviceContent.Checked(schema, rules, nameof(PostgreSqlLogOptions.Schema), nameof(schema)),
            Prefix = DeviceContent.Checked(prefix, rules, nameof(PostgreSqlLogOptions.KeyPrefix), nameof(prefix)),
        };
        return new(source, settings, ownsSource: false);
    }

    /// <summary>The tables that it uses, to be prepared before anything else.</summary>
    public PostgreSqlTables Tables { get; }

    /// <summary>Its sessions, to be looked at by who appends.</summary>
    public PostgreSqlSessions Sessions { get; }

    /// <summary>Makes the tables if they are not there. Who only reads may do so from a standby.</summary>
    public Task PrepareContentAsync(CancellationToken cancellationToken) =>
        Tables.PrepareAsync(create: true, mayBeStandby: true, logger: null, cancellationToken);

    /// <inheritdoc/>
    public string Location { get; }

    /// <inheritdoc/>
    public bool MayTear => false;

    /// <summary>A row takes up to 1 GB; this bounds how long one statement holds up others.</summary>
    public int AppendBytesMax => AppendBytes;

    /// <summary>
    /// The server has no such bound; this keeps the rows of a segment few enough to be deleted by one statement.
    /// </summary>
    public int AppendsPerSegmentMax => 100_000;

    /// <inheritdoc/>
    public ValueTask<ILogDeviceLock> LockAsync(string holder, CancellationToken cancellationToken) =>
        new(_leases.TakeAsync(holder, () => Interlocked.Increment(ref _users), LeaveAsync, cancellationToken));

    /// <inheritdoc/>
    public ValueTask<IReadOnlyList<LogDeviceEntry>> ListAsync(string prefix, CancellationToken cancellationToken) =>
        new(_requests.RunAsync<IReadOnlyList<LogDeviceEntry>>(
        "list", prefix,
        async () =>
        {
            await using var command = _requests.Command(
                _statements.List, Text(_prefix + prefix), Text(_prefix + prefix + AboveAll));
            await using var answer = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            var entries = new List<LogDeviceEntry>();
            while (await answer.ReadAsync(cancellationToken).ConfigureAwait(false))
                entries.Add(new LogDeviceEntry(answer.GetString(0)[_prefix.Length..], answer.GetInt64(1)));
            return entries;
        },
        cancellationToken));

    /// <inheritdoc/>
    public async ValueTask<long> GetLengthAsync(string name, CancellationToken cancellationToken)
    {
        if (_doubts.Has(name)) return await SettleAsync(name, cancellationToken).ConfigureAwait(false);
        return await FindLengthAsync(name, cancellationToken).ConfigureAwait(false) as long?
            ?? throw _requests.NotThere(name);
    }

    /// <inheritdoc/>
    public async ValueTask CreateAsync(string segment, CancellationToken cancellationToken) =>
        await _requests.ExecuteAsync("create", segment, _statements.Create, cancellationToken, Text(_prefix + segment))
            .ConfigureAwait(false);

    /// <inheritdoc/>
    public ValueTask<DeviceAppendResult> AppendAsync(
        string segment, long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(bytes.Length, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes.Length, AppendBytesMax);

        // Never repeated here: an append whose answer got lost is unknown, and who asked looks for it and goes on.
        return new(_doubts.UnlessDoneAsync(
            segment, () => _appends.AppendAsync(segment, offset, bytes, cancellationToken)));
    }

    /// <inheritdoc/>
    public ValueTask<int> ReadAsync(
        string name, long offset, Memory<byte> buffer, CancellationToken cancellationToken) => new(_requests.RunAsync(
        "read", name,
        async () =>
        {
            await using var command = _requests.Command(
                _statements.Read, Text(_prefix + name), Value(offset), Value(offset + buffer.Length));
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
                    buffer[read..], buffer.Length - read, throwOnEndOfStream: false, cancellationToken)
                    .ConfigureAwait(false);
            }

            return isThere ? read : throw _requests.NotThere(name);
        },
        cancellationToken));

    /// <inheritdoc/>
    public ValueTask<bool> PutAsync(
        string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
        CancellationToken cancellationToken) =>
        new(_doubts.UnlessDoneAsync(
            name,
            async () => (overwrite || await FindLengthAsync(name, cancellationToken) is null)
                && await _objects.PutAsync(name, content, overwrite, cancellationToken)));

    /// <inheritdoc/>
    public ValueTask TruncateAsync(string segment, long length, CancellationToken cancellationToken) =>
        ValueTask.FromException(new NotSupportedException(
            "An append to a database is there as a whole or not at all: there is nothing to cut."));

    /// <inheritdoc/>
    public ValueTask DeleteAsync(string name, CancellationToken cancellationToken) => new(_requests.RunAsync(
        "delete", name,
        async () =>
        {
            await using var connection = await _requests.ConnectAsync(cancellationToken).ConfigureAwait(false);
            await using var transaction =
                await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);

            // Waits for an append that is under way; then the next statement sees its row, too.
            await using var find = _requests.Command(
                $"SELECT id FROM {Tables.Names} WHERE name = $1 FOR UPDATE", connection, Text(_prefix + name));
            if (await find.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) is not long id) return false;
            await using var rows = _requests.Command(
                $"DELETE FROM {Tables.Pieces} WHERE id = $1", connection, Value(id));
            await rows.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            await using var entry = _requests.Command(
                $"DELETE FROM {Tables.Names} WHERE name = $1", connection, Text(_prefix + name));
            await entry.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
            return true;
        },
        cancellationToken));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0) await LeaveAsync().ConfigureAwait(false);
    }

    /// <summary>Where a data source goes, without secrets: as an address that the tool takes.</summary>
    private static string LocationOf(NpgsqlDataSource source)
    {
        var connection = new NpgsqlConnectionStringBuilder(source.ConnectionString);
        var hosts = (connection.Host ?? "").Split(',').Select(host => host switch
        {
            ['/', ..] => $"{Uri.EscapeDataString(host)}:{connection.Port}",
            _ when host.Contains(':', StringComparison.Ordinal) => host,
            _ => $"{host}:{connection.Port}",
        });
        return $"postgresql://{string.Join(',', hosts)}/{connection.Database ?? connection.Username}";
    }

    private async ValueTask LeaveAsync()
    {
        if (Interlocked.Decrement(ref _users) == 0 && _ownsSource) await _source.DisposeAsync().ConfigureAwait(false);
    }

    private Task<object?> FindLengthAsync(string name, CancellationToken cancellationToken) => _requests.ScalarAsync(
        "look at", name, _statements.Length, cancellationToken, Text(_prefix + name));

    /// <summary>The length of a segment, once standbys have what it counts: that was not answered before.</summary>
    private async Task<long> SettleAsync(string name, CancellationToken cancellationToken)
    {
        var length = await _requests.CommitAsync(
            "look at", name, _statements.Settle, answer => answer.GetInt64(0), cancellationToken, Text(_prefix + name))
            .ConfigureAwait(false);
        _doubts.Settled(name);
        return length;
    }
}
