using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Orleans.TestingHost;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Silos;
using Polyjuice.Policies;

namespace Polyjuice.Testing;

/// <summary>
/// A silo of a test cluster, from its start to its end. One that returns under the same name is another object, and
/// another silo to the others. Thread-safe.
/// </summary>
public sealed class TestSilo
{
    private readonly SiloFleet _fleet;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _ending = new();
    private int _state;

    internal TestSilo(SiloFleet fleet, SiloParts parts, InProcessSiloHandle handle)
    {
        _fleet = fleet;
        Parts = parts;
        Handle = handle;
        Table = handle.ServiceProvider.GetRequiredService<IMembershipTable>();
    }

    /// <summary>Its name, unique among those of its cluster that run.</summary>
    public string Name => Handle.Name;

    /// <summary>Its address.</summary>
    public SiloAddress Address => Handle.SiloAddress;

    /// <summary>Its services. After its end they may be disposed.</summary>
    public IServiceProvider Services => Handle.ServiceProvider;

    /// <summary>Its transactions, for those who operate it.</summary>
    public IPolyjuiceSilo Engine => Services.GetRequiredService<IPolyjuiceSilo>();

    /// <summary>Completes when it has ended, in whichever way, and nothing of it is left in this process.</summary>
    public Task Ended => _ended.Task;

    /// <summary>What goes wrong with logs as this silo sees them.</summary>
    public LogFaults Log => Parts.Log;

    /// <summary>
    /// Cancelled when its end begins. What waits for something that only a silo that runs can do must not wait longer.
    /// </summary>
    internal CancellationToken Ending => _ending.Token;

    /// <summary>Its transactions, with what those who operate it do not ask.</summary>
    internal IObservedSilo Observed => Services.GetRequiredService<IObservedSilo>();

    /// <summary>Where it keeps the policy in force.</summary>
    internal PolicyStore Policies => Services.GetRequiredService<PolicyStore>();

    /// <summary>What it is doing.</summary>
    internal TestSiloState State => (TestSiloState)Volatile.Read(ref _state);

    internal InProcessSiloHandle Handle { get; }

    internal SiloParts Parts { get; }

    /// <summary>Whether the others have been told that it is dead.</summary>
    internal bool IsDeclaredDead { get; set; }

    /// <summary>
    /// The membership table, as it reaches it. Known from its start, because its services end with it.
    /// </summary>
    internal IMembershipTable Table { get; }

    /// <summary>
    /// It crashes: before this returns to its caller, its connections are severed, its logs and the membership table
    /// refuse it, and its engines' batches are dropped both ways, so nothing it does from then on has an effect. What
    /// remains of it is stopped in the background.
    /// </summary>
    /// <returns>
    /// Completes when the others have learnt of its death, after
    /// <see cref="PolyjuiceTestClusterOptions.FailureDetection"/>. Does nothing if it has ended already.
    /// </returns>
    public Task CrashAsync() => _fleet.CrashAsync(this);

    /// <summary>
    /// It stands still, as in a long garbage collection or while its machine is moved: nothing gets in or out, neither
    /// to others, nor to its logs, nor to the membership table. Appends under way are answered when it goes on. Its
    /// code still runs on this process's processors until it waits for something of that. The others do not notice,
    /// unless it lasts as long as their probes take or <see cref="DeclareDeadAsync"/> says so.
    /// </summary>
    /// <exception cref="InvalidOperationException">It has ended.</exception>
    public void Pause() => _fleet.Pause(this);

    /// <summary>
    /// It goes on. If it was declared dead meanwhile, it finds that out and stops, within about
    /// <see cref="PolyjuiceTestClusterOptions.FailureDetection"/>; what it
    /// appends until then meets a fence. Does nothing if it does not stand still.
    /// </summary>
    public void Resume() => _fleet.Resume(this);

    /// <summary>
    /// The others are told that it is dead, as if their probes had found
    /// that, and take over what is its own. It may not be dead at all.
    /// </summary>
    /// <returns>Completes when those that run know.</returns>
    public Task DeclareDeadAsync() => _fleet.DeclareDeadAsync(this);

    /// <summary>It stops in good order, and hands over what is its own.</summary>
    public Task LeaveAsync() => _fleet.LeaveAsync(this);

    /// <summary>Stops it in good order, if it runs, and starts another one under its name.</summary>
    /// <returns>The other one.</returns>
    public async Task<TestSilo> RestartAsync()
    {
        await LeaveAsync().ConfigureAwait(false);
        return await _fleet.StartAsync(Parts.Number).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override string ToString() => $"{Name} ({Address})";

    /// <summary>Changes the state if it is as expected.</summary>
    internal bool TryChange(TestSiloState from, TestSiloState to) =>
        Interlocked.CompareExchange(ref _state, (int)to, (int)from) == (int)from;

    /// <summary>Nothing of it is left.</summary>
    internal void NoteEnded() => _ended.TrySetResult();

    /// <summary>Ends it, once.</summary>
    /// <returns>Whether it had not ended before.</returns>
    internal bool TryEnd(TestSiloState end)
    {
        if (!TryChange(TestSiloState.Running, end) && !TryChange(TestSiloState.Paused, end)) return false;
        _ = _ending.CancelAsync();
        return true;
    }
}
