using System.Numerics;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Faults;

/// <summary>
/// Strikes at steps of the commit protocol rather than at any event: what lies between two rare steps is seldom hit
/// otherwise. Until its first aim strikes, a run is the same as without.
/// </summary>
internal sealed class AimedFaults
{
    private const long DelayMin = 1_000;

    private readonly SimulatedCluster _cluster;
    private readonly Action<FaultKinds, SimulatedNode, int> _strike;
    private readonly SimulationRandom _random;
    private readonly StepCounter _sent = new();
    private readonly StepCounter _handled = new();
    private readonly StepCounter _asked = new();
    private readonly StepCounter _written = new();
    private readonly Aim[] _aims;

    /// <summary>Creates it; nothing strikes before <see cref="Start"/>.</summary>
    /// <param name="cluster">Which.</param>
    /// <param name="aims">What strikes where.</param>
    /// <param name="random">A stream of its own.</param>
    /// <param name="strike">Does it to a silo: which fault, to which node, and about which partition, or -1.</param>
    public AimedFaults(
        SimulatedCluster cluster, IReadOnlyList<Aim> aims, SimulationRandom random,
        Action<FaultKinds, SimulatedNode, int> strike)
    {
        _cluster = cluster;
        _strike = strike;
        _random = random;
        _aims = [.. aims];
    }

    public void Start()
    {
        if (_aims.Length == 0) return;
        _cluster.Network.Hook = Send;
        if (_cluster.Storage is SimulatedLogs logs) logs.Hook = Append;
        _cluster.Received = Handled;
        _cluster.Appended = Written;
    }

    public void Stop()
    {
        if (_aims.Length == 0) return;
        _cluster.Network.Hook = null;
        if (_cluster.Storage is SimulatedLogs logs) logs.Hook = null;
        _cluster.Received = null;
        _cluster.Appended = null;
    }

    private MessageFate Send(NetworkMessage message)
    {
        var kinds = ProtocolStep.KindsOf(message);
        _sent.Count(kinds);
        if (Find(_sent, kinds, isRecord: false) is not { } aim || !_cluster.Faults.TryEnter(aim.Fault))
            return MessageFate.Usual;
        _cluster.TraceLine(() => $"aimed at a message from {message.From} to {message.To}: {aim}");
        switch (aim.Fault)
        {
            case FaultKinds.Loss:
                return MessageFate.Drop;
            case FaultKinds.Duplication:
                return MessageFate.Duplicate;
            default:
                _cluster.Loop.Queue(Delay(), EventKind.Fault, 4, () =>
                {
                    if (_cluster.Network.Held.Contains(message)) _cluster.Network.Release(message);
                });
                return MessageFate.Hold;
        }
    }

    private AppendFate Append(AppendRequest request)
    {
        var kinds = LogTap.KindsOf(request.Bytes);
        _asked.Count(kinds);
        if (Find(_asked, kinds, isRecord: true) is not { } aim || !_cluster.Faults.TryEnter(aim.Fault))
            return AppendFate.Usual;
        _cluster.TraceLine(() => $"aimed at an append of {request.Process.Id} to log {request.Partition}: {aim}");
        switch (aim.Fault)
        {
            case FaultKinds.ErrorBeforeWrite:
                return AppendFate.FailBefore;
            case FaultKinds.ErrorAfterWrite:
                return AppendFate.FailAfter;
            case FaultKinds.LateWrite:
                return AppendFate.FailThenAppear;
            default:
                _cluster.Loop.Queue(Delay(), EventKind.Fault, 5, () =>
                {
                    if (_cluster.Logs.Held.Contains(request)) _cluster.Logs.Release(request);
                });
                return AppendFate.Hold;
        }
    }

    private void Handled(SimulatedNode node, ulong kinds)
    {
        _handled.Count(kinds);
        Strike(_handled, kinds, isRecord: false, node, -1);
    }

    private void Written(AppendRequest request, ulong kinds)
    {
        _written.Count(kinds);
        if (request.Process is SimulatedNode { IsAlive: true } node)
            Strike(_written, kinds, isRecord: true, node, request.Partition);
    }

    private void Strike(StepCounter counter, ulong kinds, bool isRecord, SimulatedNode node, int partition)
    {
        foreach (var aim in _aims)
        {
            if (aim.IsOfStep || aim.Step.IsRecord != isRecord || (kinds >> aim.Step.Kind & 1) == 0) continue;
            if (aim.Percent > 0 ? !Happens(aim) : counter[aim.Step.Kind] != aim.Nth) continue;
            _strike(aim.Fault, node, partition);
        }
    }

    private Aim? Find(StepCounter counter, ulong kinds, bool isRecord)
    {
        foreach (var aim in _aims)
        {
            if (!aim.IsOfStep || aim.Step.IsRecord != isRecord || (kinds >> aim.Step.Kind & 1) == 0) continue;
            var after = counter[aim.Step.Kind] - aim.Nth;
            if (aim.Percent > 0 ? Happens(aim) : after >= 0 && after < aim.Times) return aim;
        }

        return null;
    }

    private bool Happens(in Aim aim) => _random.Next(100) < aim.Percent;

    /// <summary>What is late matters to who has lost patience meanwhile: about as late as one of the time-outs of the
    /// cluster.</summary>
    private long Delay()
    {
        var shape = _cluster.Shape;
        var patience = _random.Next(4) switch
        {
            0 => DelayMin,
            1 => shape.Options.ResendMicroseconds,
            2 => shape.Options.PrepareTimeoutMicroseconds,
            _ => Math.Max(DelayMin, shape.DirectoryLag),
        };
        return _random.Between(patience / 2, patience * 3 / 2);
    }

    /// <summary>How many messages or appends there were with each kind in them.</summary>
    private sealed class StepCounter
    {
        private readonly int[] _counts = new int[64];

        public int this[int kind] => _counts[kind];

        public void Count(ulong kinds)
        {
            for (; kinds != 0; kinds &= kinds - 1) _counts[BitOperations.TrailingZeroCount(kinds)]++;
        }
    }
}
