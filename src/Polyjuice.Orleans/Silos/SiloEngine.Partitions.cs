using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Silos;

// Which log partitions this silo serves: a function of the cluster's membership. Two silos may disagree for a moment; the logs' fences decide between them (rule L1).
internal sealed partial class SiloEngine
{
    /// <summary>How often a silo looks whether it still serves what it should: a fence of another silo that was mistaken, for a moment, deposes it without a word.</summary>
    private static readonly TimeSpan s_checkInterval = TimeSpan.FromMilliseconds(200);

    private static readonly TimeSpan s_acquireDelay = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_acquireDelayMax = TimeSpan.FromSeconds(2);

    // What is damaged waits for people, and each look reads all of it.
    private static readonly TimeSpan s_unusableDelayMax = TimeSpan.FromSeconds(30);

    private const long AgreeIntervalMilliseconds = 1_000;

    private PartitionState[] _serving = [];
    private Task _following = Task.CompletedTask;
    private Task _checking = Task.CompletedTask;
    private readonly Lock _agreeGate = new();
    private readonly Lock _applyGate = new();
    private readonly TaskCompletionSource _unusable = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _agreeing = Task.CompletedTask;
    private long _agreedAt = -AgreeIntervalMilliseconds;

    /// <summary>
    /// Where a grain belongs that somebody has sent here. If that is another silo, then either who has sent it went by an old address, or one of the two silos has missed a change of membership: this one looks at the membership
    /// table before it says so, and makes the others look.
    /// </summary>
    public async Task<SiloAddress?> FindOwnerAsync(GrainId grain, CancellationToken cancellationToken)
    {
        await CatchUpAsync();
        var partition = Places.PartitionOf(grain);
        if (Places.View.Map.OwnerOf(partition) != Node && !_serving[partition].WasServed) await AgreeAsync(cancellationToken);
        var owner = Places.OwnerOf(grain);
        if (owner is not null && !owner.Equals(Silo)) HostLog.SentOn(_logger, grain, partition, owner);
        return owner;
    }

    /// <summary>A grain with transactional states is being activated here: completes when it can be used.</summary>
    /// <exception cref="SiloUnavailableException">Nobody serves its partition in time.</exception>
    public async Task JoinAsync(IGrainContext grain, CancellationToken cancellationToken)
    {
        // Orleans starts an activation's message loop under the activation's lock. Were the activation to complete without ever waiting, the loop would go on to the first requests with the lock held, and
        // two such grains that call each other would wait for each other's locks for ever.
        await Task.Yield();
        var partition = Places.PartitionOf(grain.GrainId);
        var state = _serving[partition];
        state.Add(grain);
        try
        {
            await state.Settled.WaitAsync(_options.TakeOverTimeout, cancellationToken);
        }
        catch (TimeoutException)
        {
            var problem = LookAt(partition).Outage ?? state.Problem;
            throw new SiloUnavailableException(
                $"Nobody has taken over log partition {partition} of {grain.GrainId} within {_options.TakeOverTimeout}{(problem is null ? "" : $": {problem.TrimEnd('.')}")}.");
        }

        // The partition has gone elsewhere since the directory was asked. Without an exception, so that the calls that wait for the grain go on to its new place.
        if (Places.View.Map.OwnerOf(partition) != Node) PartitionState.SendOn(grain);
    }

    /// <summary>Whether a grain has transactional states whose log partition this silo does not serve any more. From now on it takes no call; those that come go to its new place.</summary>
    public bool SendOnIfMoved(IGrainContext grain)
    {
        var partition = Places.PartitionOf(grain.GrainId);
        if (Places.View.Map.OwnerOf(partition) == Node || !_serving[partition].Holds(grain)) return false;
        PartitionState.SendOn(grain);
        return true;
    }

    /// <summary>Whether a grain has transactional states in a log partition that this silo has served for so long without a break: it was on no other silo.</summary>
    public bool HasServed(IGrainContext grain, TimeSpan time)
    {
        var partition = Places.PartitionOf(grain.GrainId);
        var state = _serving[partition];
        return Places.View.Map.OwnerOf(partition) == Node && state.Holds(grain) && Environment.TickCount64 - state.ServedSince >= time.TotalMilliseconds;
    }

    /// <summary>Looks at the membership table, and makes the others look; at most once a second, and a table that cannot be read changes nothing.</summary>
    private async Task AgreeAsync(CancellationToken cancellationToken)
    {
        Task agreeing;
        lock (_agreeGate)
        {
            var now = Environment.TickCount64;
            if (now - _agreedAt >= AgreeIntervalMilliseconds)
            {
                _agreedAt = now;

                // Not on the scheduler of the grain that happens to be the first to ask, nor in its flow.
                using (ExecutionContext.SuppressFlow()) _agreeing = Task.Run(LookAsync, CancellationToken.None);
            }

            agreeing = _agreeing;
        }

        await agreeing.WaitAsync(cancellationToken);
    }

    private async Task LookAsync()
    {
        try
        {
            var membership = _silo.Membership;
            await membership.Refresh(default, _life.Stopping);
            await CatchUpAsync();
            var peers = _silo.Peers;
            foreach (var peer in Places.View.Others(Node)) peers.Notice(peer, membership.CurrentSnapshot.Version);
        }
        catch (Exception exception)
        {
            if (!_life.IsStopping) HostLog.MembershipFailed(_logger, exception);
        }
    }

    /// <summary>Another silo has seen a membership that this one may have missed.</summary>
    public async Task NoteMembershipAsync(long version)
    {
        if (_silo.Membership.CurrentSnapshot.Version.Value >= version) return;
        await _silo.Membership.Refresh(new MembershipVersion(version), _life.Stopping);
    }

    // Whoever has waited for news need not wait until they have come round by way of the updates. What follows from them is no part of the caller's flow.
    private Task CatchUpAsync()
    {
        var snapshot = _silo.Membership.CurrentSnapshot;
        if (snapshot.Version <= Places.View.Version) return Task.CompletedTask;
        using (ExecutionContext.SuppressFlow()) return Task.Run(() => Apply(snapshot), CancellationToken.None);
    }

    private async Task ServeAsync(CancellationToken cancellationToken)
    {
        // Without flow: what runs for as long as the silo does belongs to no caller.
        using (ExecutionContext.SuppressFlow())
        {
            _following = Task.Run(FollowAsync, CancellationToken.None);
            _checking = Task.Run(CheckAsync, CancellationToken.None);
        }

        // A damaged log does not mend itself: the silo does not start, and whoever starts it reads which file it is.
        var settled = Task.WhenAll(_serving.Select(state => state.Settled));
        await (await Task.WhenAny(settled, _unusable.Task).WaitAsync(_options.TakeOverTimeout, cancellationToken).ConfigureAwait(false)).ConfigureAwait(false);
        _hasServed = true;
        HostLog.Started(_logger, Silo, Node, Logs.Partitions, _policies.Current.Name);
    }

    private async Task FollowAsync()
    {
        while (!_life.IsStopping)
        {
            try
            {
                await foreach (var snapshot in _silo.Membership.MembershipUpdates.WithCancellation(_life.Stopping).ConfigureAwait(false)) Apply(snapshot);
                return;
            }
            catch (OperationCanceledException) when (_life.IsStopping)
            {
                return;
            }
            catch (Exception exception)
            {
                HostLog.MembershipFailed(_logger, exception);
                await Task.Delay(s_checkInterval, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    private void Apply(ClusterMembershipSnapshot snapshot)
    {
        ClusterView view;
        lock (_applyGate)
        {
            var earlier = Places.View;
            if (snapshot.Version < earlier.Version) return;
            view = ClusterView.Of(snapshot, Logs.Partitions);
            Places.View = view;
            foreach (var (node, silo) in view.Dead)
            {
                if (earlier.IsDead(node)) continue;
                HostLog.SiloDied(_logger, silo, node);
                _silo.Peers.Forget(silo);
                using (Turn.Enter()) Engine.NodeDead(node);
            }
        }

        Reconcile(view);
    }

    private async Task CheckAsync()
    {
        using var timer = new PeriodicTimer(s_checkInterval);
        try
        {
            while (await timer.WaitForNextTickAsync(_life.Stopping).ConfigureAwait(false)) Reconcile(Places.View);
        }
        catch (OperationCanceledException)
        {
            // The silo stops.
        }
    }

    private void Reconcile(ClusterView view)
    {
        var isServed = new bool[_serving.Length];
        using (Turn.Enter())
        {
            for (var partition = 0; partition < isServed.Length; partition++) isServed[partition] = Engine.Owns(partition);
        }

        for (var partition = 0; partition < _serving.Length; partition++)
        {
            var owner = view.Map.OwnerOf(partition);
            var state = _serving[partition];
            if (owner == NodeId.None) continue;
            if (owner != Node)
            {
                if (isServed[partition] || !state.IsLost) Lose(partition);
                continue;
            }

            if (isServed[partition]) continue;
            lock (state)
            {
                if (state.IsBeingAcquired) continue;
                state.IsBeingAcquired = true;
                state.WasServed = true;
                state.IsLost = false;
                state.Unsettle();
            }

            _ = AcquireAsync(partition, state);
        }
    }

    private async Task AcquireAsync(int partition, PartitionState state)
    {
        try
        {
            var delay = s_acquireDelay;
            while (Places.View.Map.OwnerOf(partition) == Node && !_life.IsStopping)
            {
                try
                {
                    // An earlier take-over may have ended since somebody looked.
                    if (IsServing(partition)) return;
                    await Turn.RunAsync(() => Engine.AcquirePartitionAsync(partition, _life.Stopping)).ConfigureAwait(false);
                    HostLog.Serving(_logger, partition, Silo);
                    return;
                }
                catch (Exception) when (_life.IsStopping || Places.View.Map.OwnerOf(partition) != Node)
                {
                    return;
                }
                catch (Exception exception)
                {
                    // Once, and not each time that it is found again.
                    if (state.Problem == exception.Message) HostLog.StillNotAcquired(_logger, exception, partition, Silo, delay);
                    else HostLog.NotAcquired(_logger, exception, partition, Silo, delay);
                    state.Problem = exception.Message;
                    if (exception is LogUnusableException) _unusable.TrySetException(exception);
                    await PauseAsync(delay).ConfigureAwait(false);
                    delay = Min(delay * 2, exception is LogUnusableException ? s_unusableDelayMax : s_acquireDelayMax);
                }
            }
        }
        finally
        {
            state.Problem = null;
            lock (state) state.IsBeingAcquired = false;
            if (Places.View.Map.OwnerOf(partition) != Node) Lose(partition);
            if (IsServing(partition))
            {
                state.ServedSince = Environment.TickCount64;
                state.Settle();
            }
        }
    }

    // A silo that stops does not sit it out.
    private async Task PauseAsync(TimeSpan delay) =>
        await Task.Delay(delay, _life.Stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    private bool IsServing(int partition)
    {
        using (Turn.Enter()) return Engine.Owns(partition);
    }

    // Another silo takes the partition over.
    private void Lose(int partition)
    {
        bool was;
        using (Turn.Enter())
        {
            was = Engine.Owns(partition);
            if (!_serving[partition].IsBeingAcquired || was) Engine.ReleasePartition(partition);
        }

        if (was) HostLog.Leaving(_logger, partition, Silo);
        var state = _serving[partition];
        state.IsLost = true;
        state.Settle();
        state.DeactivateGrains();
    }

    private static TimeSpan Min(TimeSpan one, TimeSpan other) => one < other ? one : other;
}
