using System.ComponentModel.DataAnnotations;

namespace Orleans.Configuration;

/// <summary>Logs in the process's memory. Validated at start.</summary>
public sealed class MemoryLogOptions
{
    /// <summary>
    /// Number of log partitions: at least as many as there will be silos. More make commits dearer, because grains of
    /// different partitions need two phases. Default 4; 1 to 65,536.
    /// </summary>
    [Range(1, 65_536)]
    public int Partitions { get; set; } = 4;
}
