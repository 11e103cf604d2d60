using System.ComponentModel.DataAnnotations;

namespace Orleans.Configuration;

/// <summary>Logs in the process's memory. Validated at start.</summary>
public sealed class MemoryLogOptions
{
    /// <summary>
    /// Number of log partitions: at least as many as there will be engines in all silos. More make commits dearer,
    /// because grains of different partitions need two phases. 0, the default, takes 4 for each engine of the silo that
    /// opens them first. At most 65,536.
    /// </summary>
    [Range(0, 65_536)]
    public int Partitions { get; set; }
}
