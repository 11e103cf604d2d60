namespace Polyjuice.Lab.Chaos;

/// <summary>Where the logs of a run are.</summary>
public enum ChaosLogs
{
    /// <summary>In this process's memory, which outlives its silos.</summary>
    Memory,

    /// <summary>In files of a folder of the run's own.</summary>
    Files,
}
