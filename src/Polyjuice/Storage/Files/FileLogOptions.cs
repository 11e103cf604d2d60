using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Storage;

/// <summary>How logs are kept in local files.</summary>
public sealed class FileLogOptions : SegmentedLogOptions
{
    /// <summary>The folder; made if it is not there. Default "data", below the current folder.</summary>
    [Required(AllowEmptyStrings = false)]
    public string Directory { get; set; } = "data";

    /// <summary>
    /// Whether every batch is flushed to the disk before it counts (fsync). Without it, what was committed survives the process's end, but not the machine's. Default <see langword="true"/>.
    /// </summary>
    public bool Flush { get; set; } = true;
}
