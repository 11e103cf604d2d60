using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Storage;

/// <summary>How logs are kept in local files.</summary>
public sealed class FileLogOptions : SegmentedLogOptions
{
    internal const long PreallocateBytesDefault = 1 << 20;

    /// <summary>
    /// Options with this backend's defaults: as those of all segmented logs, but
    /// <see cref="SegmentedLogOptions.AppendsUnderWay"/> is 0.
    /// </summary>
    public FileLogOptions() => AppendsUnderWay = 0;

    /// <summary>The folder; made if it is not there. Default "data", below the current folder.</summary>
    [Required(AllowEmptyStrings = false)]
    public string Directory { get; set; } = "data";

    /// <summary>
    /// Whether every batch is flushed to the disk before it counts (fsync). Without it, what was committed survives the
    /// process's end, but not the machine's. Default <see langword="true"/>.
    /// </summary>
    public bool Flush { get; set; } = true;

    /// <summary>
    /// The most bytes of zeros that are written ahead at the end of a segment, at a time; a short segment gets as many
    /// as it is long. Appends then overwrite, and a flush takes about half as long on file systems that overwrite in
    /// place (ext4, xfs), for the price of writing everything twice. 0 writes none, as befits file systems that never
    /// overwrite (btrfs, zfs). Means nothing without <see cref="Flush"/>. Default 1 MiB; at most 64 MiB.
    /// </summary>
    [Range(0, 64 << 20)]
    public long PreallocateBytes { get; set; } = PreallocateBytesDefault;
}
