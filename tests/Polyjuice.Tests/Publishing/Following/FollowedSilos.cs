using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Tests.Publishing.Following;

/// <summary>
/// Followers in virtual time, with a load that a test makes up: what is committed follows from the policy in force.
/// </summary>
internal sealed class FollowedSilos : IDisposable
{
    private const long ScriptMax = 3_600_000_000;

    private readonly EventLoop _loop = new();
    private readonly CancellationTokenSource _end = new();
    private readonly List<(PolicyFollower Follower, Task Running)> _followers = [];

    public FollowedSilos() => Time = new VirtualTime(_loop);

    public FaultyEntries Entries { get; } = new();

    /// <summary>Beside the silos' logs; nothing is kept there by default.</summary>
    public MemoryNotes? Notes { get; set; }

    public PublishedPoliciesOptions Options { get; } = new();

    /// <summary>What is done under a policy, by its name.</summary>
    public Func<string, LoadFigure> Load { get; set; } =
        static policy => policy == "locking" ? new(400, 0, 10) : new(1_000, 0.05, 10);

    /// <summary>Warnings and errors that followers log.</summary>
    public List<string> Errors { get; } = [];

    /// <summary>What they log beside those.</summary>
    public List<string> Notices { get; } = [];

    public TimeProvider Time { get; }

    public PolicyRepository Repository => new(Entries, Time);

    public static string Text(string name) => PolicyWriter.Write(BuiltinPolicies.Get(name).Document);

    /// <summary>Runs a script, then ends all followers.</summary>
    public void Run(Func<Task> script) => new ClientTurn(_loop).Run(
        async () =>
        {
            await script();
            _end.Cancel();
            foreach (var (_, running) in _followers) await running;
        },
        ScriptMax);

    /// <summary>Starts a follower of a silo of its own.</summary>
    public (PolicyStore Policies, List<PolicyChange> Changes) Follow(
        PolicyTrust? trust = null, PolicySigningKey? key = null, PolicyStore? policies = null,
        PublishedPoliciesOptions? options = null)
    {
        policies ??= new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get("occ"));
        var changes = new List<PolicyChange>();
        var load = new MadeUpLoad(_loop, policies, policy => Load(policy));
        var (repository, name) = (new PolicyRepository(Entries, Time, trust, key), $"silo {_followers.Count}");
        var follower = new PolicyFollower(
            repository, policies, load.Read, options ?? Options, Time, new ErrorLog(Errors, Notices), name,
            () => Notes);
        follower.Changed += changes.Add;
        _followers.Add((follower, follower.RunAsync(_end.Token)));
        return (policies, changes);
    }

    public Task PassAsync(double seconds) => Task.Delay(TimeSpan.FromSeconds(seconds), Time);

    public Task<PolicyRelease> PublishAsync(string name, PolicySigningKey? key = null) =>
        new PolicyRepository(Entries, Time, key: key).PublishAsync(Text(name), "anna");

    public void Dispose()
    {
        foreach (var (follower, _) in _followers) follower.Dispose();
        _end.Dispose();
    }
}
