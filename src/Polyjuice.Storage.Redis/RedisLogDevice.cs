using Orleans.Configuration;
using StackExchange.Redis;

namespace Polyjuice.Storage.Redis;

/// <summary>
/// A server: segments are strings, objects are hashes. A script appends at a checked position, which is the fence, so
/// several processes may use it at once. All keys are in one place of a Redis cluster.
/// </summary>
internal sealed partial class RedisLogDevice : ILogDevice
{
    // Above all characters that names have.
    private const string AboveAll = "\x7f";

    private readonly IConnectionMultiplexer _redis;
    private readonly IDatabase _database;
    private readonly RedisDeviceSettings _settings;
    private readonly RedisErrors _errors;
    private readonly bool _ownsRedis;
    private readonly string _root;
    private readonly RedisKey _names;

    // The device itself, and its locks, which are given back after it.
    private int _users = 1;
    private int _isDisposed;

    public RedisLogDevice(IConnectionMultiplexer redis, RedisDeviceSettings settings, bool ownsRedis)
    {
        _redis = redis;
        _database = redis.GetDatabase();
        _settings = settings;
        _ownsRedis = ownsRedis;
        var prefix = settings.Prefix.TrimEnd('/');

        // What is in braces says where in a cluster a key is.
        _root = $"{{{prefix}}}:{settings.Kind}:";
        _names = $"{{{prefix}}}:{settings.Kind}";
        Location = LocationOf(ConfigurationOptions.Parse(redis.Configuration), _database.Database, prefix);
        _errors = new RedisErrors(Location);
    }

    /// <inheritdoc/>
    public string Location { get; }

    /// <inheritdoc/>
    public bool MayTear => false;

    /// <summary>This bounds how long one command holds up all others.</summary>
    public int AppendBytesMax => 4 << 20;

    /// <summary>The server has no such bound.</summary>
    public int AppendsPerSegmentMax => 1_000_000;

    // Not a name that callers may use, so that it can't meet one of theirs.
    internal RedisKey LockKey => _root + "_lock";

    /// <summary>Where something else than logs is kept, by a client of the caller's.</summary>
    /// <param name="redis">The server.</param>
    /// <param name="kind">What is kept.</param>
    /// <param name="prefix">As <see cref="RedisLogOptions.KeyPrefix"/>.</param>
    /// <exception cref="ArgumentException">The prefix can't be one.</exception>
    public static RedisLogDevice OfContent(IConnectionMultiplexer redis, string kind, string prefix)
    {
        ArgumentNullException.ThrowIfNull(redis);
        var settings = new RedisDeviceSettings
        {
            Kind = kind,
            Prefix = DeviceContent.Checked(
                prefix, new RedisLogOptions(), nameof(RedisLogOptions.KeyPrefix), nameof(prefix)),
        };
        return new(redis, settings, ownsRedis: false);
    }

    /// <summary>Where a server is, for messages: as an address that the tool takes.</summary>
    public static string LocationOf(ConfigurationOptions settings, int database, string prefix)
    {
        var servers = settings.EndPoints.Select(server => server switch
        {
            System.Net.DnsEndPoint named => $"{named.Host}:{(named.Port > 0 ? named.Port : 6379)}",
            _ => server.ToString() ?? "",
        });
        return $"{(settings.Ssl ? "rediss" : "redis")}://{string.Join(',', servers)}/{Math.Max(0, database)}/{prefix}";
    }

    /// <inheritdoc/>
    public async ValueTask<ILogDeviceLock> LockAsync(string holder, CancellationToken cancellationToken)
    {
        var token = Guid.NewGuid().ToString("N");
        var asked = _settings.Time.GetTimestamp();
        var isTaken = await RunAsync(
            "lock", "",
            () => _database.StringSetAsync(LockKey, $"{token} {holder}", _settings.LeaseDuration, When.NotExists),
            cancellationToken).ConfigureAwait(false);
        if (!isTaken)
        {
            var other = (string?)await RunAsync(
                "lock", "", () => _database.StringGetAsync(LockKey, CommandFlags.DemandMaster), cancellationToken)
                .ConfigureAwait(false);
            var who = other?.Length > token.Length ? other[(token.Length + 1)..] : null;
            throw LogDeviceLockedException.OfShared(
                Location, who, "server or key prefix", _settings.LeaseDuration);
        }

        Interlocked.Increment(ref _users);
        return new RenewedLock(
            _settings.LeaseDuration, asked, _settings.Time,
            async cancel => (int)await ScriptAsync(
                "lock", "", RedisScripts.Renew, [LockKey], [token, (long)_settings.LeaseDuration.TotalMilliseconds],
                cancel).ConfigureAwait(false) == 1,
            async cancel =>
            {
                try
                {
                    await ScriptAsync("unlock", "", RedisScripts.Release, [LockKey], [token], cancel)
                        .ConfigureAwait(false);
                }
                finally
                {
                    await LeaveAsync().ConfigureAwait(false);
                }
            });
    }

    /// <inheritdoc/>
    public async ValueTask<IReadOnlyList<LogDeviceEntry>> ListAsync(string prefix, CancellationToken cancellationToken)
    {
        var answer = await ScriptAsync(
            "list", prefix, RedisScripts.List, [_names], [prefix, prefix + AboveAll, _root], cancellationToken)
            .ConfigureAwait(false);
        var found = (RedisResult[])answer!;
        var entries = new List<LogDeviceEntry>(found.Length / 2);
        for (var i = 0; i < found.Length; i += 2)
        {
            var name = (string)found[i]!;
            var length = (long)found[i + 1];
            if (length < 0)
            {
                throw new LogDamagedException(
                    Location, name, 0,
                    "the key is gone, and its name is still there: somebody deleted it, or the server evicted it");
            }

            entries.Add(new LogDeviceEntry(name, length));
        }

        return entries;
    }

    /// <inheritdoc/>
    public async ValueTask<long> GetLengthAsync(string name, CancellationToken cancellationToken)
    {
        var length = (long)await ScriptAsync(
            "look at", name, RedisScripts.Length, [KeyOf(name)], [], cancellationToken).ConfigureAwait(false);
        return length >= 0 ? length : throw NotThere(name);
    }

    /// <inheritdoc/>
    public ValueTask TruncateAsync(string segment, long length, CancellationToken cancellationToken) =>
        ValueTask.FromException(new NotSupportedException(
            "An append to a server is there as a whole or not at all: there is nothing to cut."));

    /// <inheritdoc/>
    public async ValueTask DeleteAsync(string name, CancellationToken cancellationToken) =>
        await ScriptAsync(
            "delete", name, RedisScripts.Delete, [KeyOf(name), _names], [name], cancellationToken)
            .ConfigureAwait(false);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0) await LeaveAsync().ConfigureAwait(false);
    }

    private async ValueTask LeaveAsync()
    {
        if (Interlocked.Decrement(ref _users) == 0 && _ownsRedis) await _redis.DisposeAsync().ConfigureAwait(false);
    }

    private RedisKey KeyOf(string name) => _root + name;

    private Task<RedisResult> ScriptAsync(
        string what, string name, string script, RedisKey[] keys, RedisValue[] arguments,
        CancellationToken cancellationToken) =>
        RunAsync(
            what, name, () => _database.ScriptEvaluateAsync(script, keys, arguments, CommandFlags.DemandMaster),
            cancellationToken);

    private async Task<T> RunAsync<T>(string what, string name, Func<Task<T>> call, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            // The client can't take back what it has sent: who gives up does not know what comes of it.
            return await call().WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (RedisErrors.IsOfServer(exception))
        {
            throw _errors.Explain(exception, what, name);
        }
    }

    private FileNotFoundException NotThere(string name) => new($"{Location}/{name} is not there.", name);
}
