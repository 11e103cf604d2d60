using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Storage;

/// <summary>How logs are kept on a device. Validated when a store is opened.</summary>
public class SegmentedLogOptions
{
    private const int PartitionsMax = 65_536;

    private readonly int _newPartitionsForEach;
    private int _newPartitions;

    /// <summary>Options with the defaults that are said below.</summary>
    public SegmentedLogOptions() : this(1)
    {
    }

    /// <summary>Options of a backend with another number of new partitions.</summary>
    /// <param name="newPartitions">The default of <see cref="NewPartitions"/>.</param>
    protected SegmentedLogOptions(int newPartitions) => _newPartitions = _newPartitionsForEach = newPartitions;

    /// <summary>
    /// Log partitions. Fixed when the store is created, and recorded there: a grain's partition depends on it. 0 takes
    /// what is recorded, or <see cref="NewPartitions"/> for a new store; any other number must be the recorded one.
    /// Default 0; at most 65,536.
    /// </summary>
    [Range(0, PartitionsMax)]
    public int Partitions { get; set; }

    /// <summary>
    /// Partitions of a store that is created now, when <see cref="Partitions"/> is 0. Default 1, and so many for each
    /// engine where a silo has several; 1 to 65,536.
    /// </summary>
    [Range(1, PartitionsMax)]
    public int NewPartitions
    {
        get => _newPartitions == _newPartitionsForEach ? NewPartitionsDefault : _newPartitions;
        set => _newPartitions = value;
    }

    /// <summary>
    /// A segment that has grown to this many bytes is ended, and the next one
    /// begun. Whole segments are trimmed. Default 64 MiB; at least 4 KiB.
    /// </summary>
    [Range(4L << 10, 1L << 40)]
    public long SegmentBytes { get; set; } = 64L << 20;

    /// <summary>
    /// Whether the whole store is locked for this process, for hosts that live in one. Devices whose appends may tear
    /// are always locked. Default <see langword="true"/>.
    /// </summary>
    public bool Lock { get; set; } = true;

    /// <summary>
    /// Threads that block on the device. Default 0, which takes one for every two partitions, at most 16: flushes take
    /// processors from silos, and of fewer at a time each carries more.
    /// </summary>
    [Range(0, 256)]
    public int Threads { get; set; }

    /// <summary>
    /// How many appends of one log may be under way: one is made, the others wait for it. 0 takes 2 where each log has
    /// a thread, which would wait for the next append otherwise, and 1 where threads have several logs to serve,
    /// because then it would only make batches smaller. Default 1, as befits services.
    /// </summary>
    [Range(0, 16)]
    public int AppendsUnderWay { get; set; } = 1;

    /// <summary>Who holds the lock, for the message that others get. Default: the process and the machine.</summary>
    public string Holder { get; set; } = $"process {Environment.ProcessId} on {Environment.MachineName}";

    /// <summary><see cref="NewPartitions"/>, if it was set on purpose and is not void.</summary>
    internal int? NewPartitionsAskedFor =>
        Partitions > 0 || NewPartitions == NewPartitionsDefault ? null : NewPartitions;

    /// <summary>
    /// The engines of a silo, which share its partitions: unless <see cref="NewPartitions"/> was set, a new store has
    /// so many times as many.
    /// </summary>
    internal int Engines { get; set; } = 1;

    private int NewPartitionsDefault => Math.Min(_newPartitionsForEach * Engines, PartitionsMax);

    /// <summary>The number that a new store gets in place of a random one; for simulations.</summary>
    internal ulong? StoreNumber { get; set; }

    /// <summary>Where the logs' work runs, in place of threads of their own; for simulations.</summary>
    internal Action<Action>? Runner { get; set; }
}
