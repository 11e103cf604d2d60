using Microsoft.Extensions.Logging;
using Polyjuice.Execution;
using Polyjuice.Policies;
using Polyjuice.Policies.Following;
using Polyjuice.Policies.Publishing;

namespace Polyjuice.Embedded.Tests.Simulated;

/// <summary>Followers in virtual time, with a load that a test makes up: what is committed follows from the policy in force.</summary>
internal sealed class FollowedCluster : IDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly List<(PolicyFollower Follower, Task Running)> _followers = [];

    public SimulatedEmbeddedCluster Cluster { get; } = SimulatedTestCluster.Start();

    public FaultyEntries Entries { get; } = new();

    public PolicyFollowerOptions Options { get; } = new();

    /// <summary>By the policy in force: commits a second, aborted attempts for each, and transactions open at a time.</summary>
    public Func<string, (double Rate, double Aborts, double Open)> Load { get; set; } = policy => policy == "locking" ? (400, 0, 10) : (1_000, 0.05, 10);

    /// <summary>Warnings and errors that followers log.</summary>
    public List<string> Errors { get; } = [];

    public TimeProvider Time => Cluster.TimeProvider;

    public PolicyRepository Repository => new(Entries, Time);

    /// <summary>Runs a script, then ends all followers.</summary>
    public void Run(Func<Task> script) => Cluster.Run(async () =>
    {
        await script();
        _end.Cancel();
        foreach (var (follower, running) in _followers)
        {
            await running;
            follower.Dispose();
        }
    });

    /// <summary>Starts a follower of a silo of its own.</summary>
    public (PolicyStore Policies, List<PolicyChange> Changes) Follow(PolicyTrust? trust = null, PolicySigningKey? key = null, PolicyStore? policies = null, PolicyFollowerOptions? options = null)
    {
        policies ??= new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get("occ"));
        var changes = new List<PolicyChange>();
        var follower = new PolicyFollower(new(Entries, Time, trust, key), policies, new MadeUpLoad(this, policies).Read, options ?? Options, Time, new ErrorLog(Errors), $"silo {_followers.Count}");
        follower.Changed += changes.Add;
        _followers.Add((follower, follower.RunAsync(_end.Token)));
        return (policies, changes);
    }

    public Task PassAsync(double seconds) => Task.Delay(TimeSpan.FromSeconds(seconds), Time);

    public Task<PolicyRelease> PublishAsync(string name, PolicySigningKey? key = null) => new PolicyRepository(Entries, Time, key: key).PublishAsync(Text(name), "anna");

    public static string Text(string name) => PolicyWriter.Write(BuiltinPolicies.Get(name).Document);

    public void Dispose()
    {
        Cluster.Dispose();
        _end.Dispose();
    }

    private sealed class ErrorLog(List<string> errors) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel)) errors.Add(formatter(state, exception));
        }
    }

    private sealed class MadeUpLoad(FollowedCluster followed, PolicyStore policies)
    {
        private readonly EngineStatistics _statistics = new();
        private TimeSpan _at;
        private ulong _noise = 1;

        public EngineStatistics Read()
        {
            var (rate, aborts, open) = followed.Load(policies.Current.Name);
            var seconds = (followed.Cluster.Elapsed - _at).TotalSeconds;
            _at = followed.Cluster.Elapsed;

            // A tenth up or down, as real seconds are.
            _noise = (_noise * 6_364_136_223_846_793_005) + 1_442_695_040_888_963_407;
            var commits = rate * seconds * (0.9 + (0.2 * (_noise >> 40) / (1 << 24)));
            _statistics.Commits += (long)commits;
            _statistics.AbortsByReason[(int)AbortReason.Validation] += (long)(commits * aborts);
            _statistics.OpenMicroseconds += (long)(open * seconds * 1e6);
            return _statistics;
        }
    }
}

/// <summary>A place that fails as told.</summary>
internal sealed class FaultyEntries : IPolicyEntries
{
    private readonly MemoryPolicyEntries _inner = new();

    public bool IsAway { get; set; }

    /// <summary>Nobody may write.</summary>
    public bool IsReadOnly { get; set; }

    public HashSet<int> Missing { get; } = [];

    public string Location => "the place";

    public ValueTask<int> GetLastAsync(CancellationToken cancellationToken) => IsAway ? throw new IOException("It is away.") : _inner.GetLastAsync(cancellationToken);

    public ValueTask<byte[]?> ReadAsync(int number, CancellationToken cancellationToken)
    {
        if (IsAway) throw new IOException("It is away.");
        return Missing.Contains(number) ? new((byte[]?)null) : _inner.ReadAsync(number, cancellationToken);
    }

    public ValueTask<bool> CreateAsync(int number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        IsAway ? throw new IOException("It is away.") : IsReadOnly ? throw new UnauthorizedAccessException("Read-only file system.") : _inner.CreateAsync(number, content, cancellationToken);

    public IDisposable Watch(Action changed) => _inner.Watch(changed);
}
