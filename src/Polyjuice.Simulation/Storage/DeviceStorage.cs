using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Storage;

/// <summary>What the logs of a simulated cluster are kept on.</summary>
internal enum StorageKind : byte
{
    /// <summary>Logs that are only a list of batches; what scripts hold and fail appends of.</summary>
    Plain,

    /// <summary>
    /// Segments in blobs that every process reaches for itself:
    /// appends are whole or not there, and rivals race at the service.
    /// </summary>
    Blobs,

    /// <summary>
    /// Segments on a disk that all silos share, being in one process; when all of them are dead, it has lost its power.
    /// </summary>
    Disk,

    /// <summary>Each state in a row of its own, and plain logs that nothing is in.</summary>
    Rows,

    /// <summary>Some states in rows of their own, the others in plain logs.</summary>
    Mixed,
}

/// <summary>The segmented log, as it is in production, over a simulated device.</summary>
internal sealed class DeviceStorage : ISimulatedStorage
{
    private readonly EventLoop _loop;
    private readonly SimulatedDevice _device;
    private readonly SegmentedLogOptions _options;
    private readonly int _partitions;
    private readonly ulong _store;
    private readonly HashSet<ISimulatedProcess> _alive = [];
    private Machine? _machine;

    public DeviceStorage(
        StorageKind kind, StorageProfile profile, int partitions, int appendsUnderWay, EventLoop loop,
        SimulationRandom random, FaultLedger faults)
    {
        _loop = loop;
        _partitions = partitions;
        _store = random.Next();
        _options = new SegmentedLogOptions
        {
            SegmentBytes = random.Between(300, 6_000), AppendsUnderWay = appendsUnderWay
        };
        _device = new SimulatedDevice(loop, random, faults, kind == StorageKind.Disk)
        {
            Profile = profile, AppendBytesMax = random.Chance(0.3) ? (int)random.Between(200, 800) : 1 << 20,
        };
    }

    /// <summary>Checkpoints that were made so far, by anybody.</summary>
    public int Checkpoints => _device.Puts.Count;

    /// <inheritdoc/>
    public ILogStore For(ISimulatedProcess process)
    {
        _alive.Add(process);
        if (!_device.IsDisk) return MakeStore(() => process.IsAlive);
        if (_machine is null)
        {
            var machine = new Machine();
            machine.Store = MakeStore(() => machine.HasPower);
            _machine = machine;
        }

        return _machine.Store!;
    }

    /// <inheritdoc/>
    public void Crashed(ISimulatedProcess process)
    {
        _alive.Remove(process);
        if (_alive.Count > 0 || _machine is null) return;
        _machine.HasPower = false;
        _machine = null;
        _device.FailPower();
    }

    /// <inheritdoc/>
    public void StopFaults() =>
        _device.Profile = _device.Profile with
        {
            ErrorBefore = 0, ErrorAfter = 0, LateWrite = 0, ReadError = 0, Slow = 0
        };

    /// <inheritdoc/>
    public void Judge() =>
        new CheckpointJudge(_device, partition => new LogIdentity(_store, partition, _partitions)).Judge(_partitions);

    private Store MakeStore(Func<bool> isAlive)
    {
        var view = _device.ViewOf(isAlive);
        var logs = new IPartitionLog[_partitions];
        for (var partition = 0; partition < logs.Length; partition++)
        {
            var context = new SerialContext(run => _loop.Queue(0, EventKind.Turn, -2, () =>
            {
                if (isAlive()) run();
            }));
            logs[partition] = new SegmentedLog(
                view, new LogIdentity(_store, partition, _partitions), _options, context, CancellationToken.None,
                NullLogger.Instance)
            {
                AppendsUnderWayMax = _options.AppendsUnderWay
            };
        }

        return new Store(logs);
    }

    private sealed class Machine
    {
        public bool HasPower { get; set; } = true;

        public Store? Store { get; set; }
    }

    private sealed class Store(IPartitionLog[] logs) : ILogStore
    {
        public int PartitionCount => logs.Length;

        public IPartitionLog Open(int partition) => logs[partition];
    }
}
