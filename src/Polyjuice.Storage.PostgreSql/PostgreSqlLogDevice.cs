using System.Data.Common;
using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// A database: segments and objects are names with rows. The key of the rows is the fence of appends, so several
/// processes may use it at once.
/// </summary>
internal sealed partial class PostgreSqlLogDevice : ILogDevice
{
    // Above all characters that names have.
    private const string AboveAll = "\x7f";

    private readonly NpgsqlDataSource _source;
    private readonly PostgreSqlDeviceSettings _settings;
    private readonly PostgreSqlErrors _errors;
    private readonly string _prefix;
    private readonly bool _ownsSource;

    // The device itself, and its locks, which are given back after it.
    private int _users = 1;
    private int _isDisposed;

    public PostgreSqlLogDevice(NpgsqlDataSource source, PostgreSqlDeviceSettings settings, bool ownsSource)
    {
        _source = source;
        _settings = settings;
        _ownsSource = ownsSource;
        var prefix = settings.Prefix.TrimEnd('/');

        // No prefix and no name has a colon, so no prefix is ever taken for the beginning of another one's names.
        _prefix = $"{settings.Kind}/{prefix}:";
        Location = $"{LocationOf(source)}/{settings.Schema}/{prefix}".TrimEnd('/');
        _errors = new PostgreSqlErrors(Location, settings.Schema);
        Tables = new PostgreSqlTables(source, settings.Schema, _errors);
        Sessions = new PostgreSqlSessions(source, _errors);
        _list = $"""
            SELECT n.name, {Length("n.id")} FROM {Tables.Names} n WHERE n.name >= $1 AND n.name < $2 ORDER BY n.name
            """;
        _length = $"SELECT {Length("n.id")} FROM {Tables.Names} n WHERE n.name = $1";
        _read = ReadStatement();
        _create = CreateStatement();
        _append = AppendStatement();
        _settle = SettleStatement();
        _take = $"""
            INSERT INTO {Tables.Leases} AS l (name, token, holder, ends) VALUES ($1, $2, $3, clock_timestamp() + $4)
            ON CONFLICT (name) DO UPDATE SET token = excluded.token, holder = excluded.holder, ends = excluded.ends
            WHERE l.ends < clock_timestamp() OR l.token = excluded.token
            """;
        _renew = $"UPDATE {Tables.Leases} SET ends = clock_timestamp() + $3 WHERE name = $1 AND token = $2";
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

    private readonly string _list;
    private readonly string _length;
    private readonly string _take;
    private readonly string _renew;

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
    public int AppendBytesMax => 4 << 20;

    /// <summary>
    /// The server has no such bound; this keeps the rows of a segment few enough to be deleted by one statement.
    /// </summary>
    public int AppendsPerSegmentMax => 100_000;

    /// <inheritdoc/>
    public async ValueTask<ILogDeviceLock> LockAsync(string holder, CancellationToken cancellationToken)
    {
        // Asking again with the same token answers as the first time.
        var token = Guid.NewGuid();
        var asked = _settings.Time.GetTimestamp();
        var isTaken = await ExecuteAsync(
            "lock", "", _take, cancellationToken, Text(_prefix), Value(token), Text(holder),
            Value(_settings.LeaseDuration)).ConfigureAwait(false) == 1;
        if (!isTaken)
        {
            var other = await ScalarAsync(
                "lock", "", $"SELECT holder FROM {Tables.Leases} WHERE name = $1", cancellationToken,
                Text(_prefix)).ConfigureAwait(false) as string;
            throw LogDeviceLockedException.OfShared(
                Location, other, "schema or key prefix", _settings.LeaseDuration);
        }

        Interlocked.Increment(ref _users);
        return new RenewedLock(
            _settings.LeaseDuration, asked, _settings.Time,
            async cancel => await ExecuteAsync(
                "lock", "", _renew, cancel, Text(_prefix), Value(token),
                Value(_settings.LeaseDuration)).ConfigureAwait(false) == 1,
            async cancel =>
            {
                try
                {
                    await ExecuteAsync(
                        "unlock", "", $"DELETE FROM {Tables.Leases} WHERE name = $1 AND token = $2", cancel,
                        Text(_prefix), Value(token)).ConfigureAwait(false);
                }
                finally
                {
                    await LeaveAsync().ConfigureAwait(false);
                }
            });
    }

    /// <inheritdoc/>
    public ValueTask<IReadOnlyList<LogDeviceEntry>> ListAsync(string prefix, CancellationToken cancellationToken) =>
        new(RunAsync<IReadOnlyList<LogDeviceEntry>>(
        "list", prefix,
        async () =>
        {
            await using var command = Command(_list, Text(_prefix + prefix), Text(_prefix + prefix + AboveAll));
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
        if (IsInDoubt(name)) return await SettleAsync(name, cancellationToken).ConfigureAwait(false);
        return await ScalarAsync("look at", name, _length, cancellationToken, Text(_prefix + name))
            .ConfigureAwait(false) as long? ?? throw NotThere(name);
    }

    /// <inheritdoc/>
    public ValueTask TruncateAsync(string segment, long length, CancellationToken cancellationToken) =>
        ValueTask.FromException(new NotSupportedException(
            "An append to a database is there as a whole or not at all: there is nothing to cut."));

    /// <inheritdoc/>
    public ValueTask DeleteAsync(string name, CancellationToken cancellationToken) => new(RunAsync(
        "delete", name,
        async () =>
        {
            await using var connection = await _source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            await using var transaction =
                await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);

            // Waits for an append that is under way; then the next statement sees its row, too.
            await using var find = Command(
                $"SELECT id FROM {Tables.Names} WHERE name = $1 FOR UPDATE", connection, Text(_prefix + name));
            if (await find.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) is not long id) return false;
            await using var rows = Command($"DELETE FROM {Tables.Pieces} WHERE id = $1", connection, Value(id));
            await rows.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            await using var entry = Command(
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

    private string Length(string id) =>
        $"coalesce((SELECT p.ends FROM {Tables.Pieces} p WHERE p.id = {id} ORDER BY p.begins DESC LIMIT 1), 0)";

    private Task<int> ExecuteAsync(
        string what, string name, string sql, CancellationToken cancellationToken,
        params DbParameter[] parameters) => RunAsync(
        what, name,
        async () =>
        {
            await using var command = Command(sql, parameters);
            return await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        },
        cancellationToken);

    private Task<object?> ScalarAsync(
        string what, string name, string sql, CancellationToken cancellationToken,
        params DbParameter[] parameters) => RunAsync(
        what, name,
        async () =>
        {
            await using var command = Command(sql, parameters);
            return await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false);
        },
        cancellationToken);

    private async Task<T> RunAsync<T>(string what, string name, Func<Task<T>> call, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            using var none = AmbientTransaction.Leave();
            return await call().ConfigureAwait(false);
        }
        catch (Exception exception) when (PostgreSqlErrors.IsOfServer(exception))
        {
            // The client may report what the caller gave up as the server's answer to that.
            cancellationToken.ThrowIfCancellationRequested();
            throw _errors.Explain(exception, what, name);
        }
    }

    private NpgsqlCommand Command(string sql, params DbParameter[] parameters) =>
        With(_source.CreateCommand(sql), parameters);

    private NpgsqlCommand Command(string sql, NpgsqlConnection connection, params DbParameter[] parameters) =>
        With(new NpgsqlCommand(sql, connection), parameters);

    private NpgsqlCommand With(NpgsqlCommand command, DbParameter[] parameters)
    {
        command.CommandTimeout = (int)Math.Ceiling(_settings.RequestTimeout.TotalSeconds);
        foreach (var parameter in parameters) command.Parameters.Add(parameter);
        return command;
    }

    private FileNotFoundException NotThere(string name) => new($"{Location}/{name} is not there.", name);

    private static NpgsqlParameter<string> Text(string value) => new() { TypedValue = value };

    private static NpgsqlParameter<T> Value<T>(T value) => new() { TypedValue = value };
}
