namespace Polyjuice.Lab.Running;

/// <summary>
/// What this process has used since it started or, as a difference, during an interval: silos, clients and all.
/// </summary>
/// <param name="Processor">Processor time, of all threads.</param>
/// <param name="AllocatedBytes">Bytes that were allocated.</param>
/// <param name="CollectionPauses">How long garbage collections have stopped all threads.</param>
public readonly record struct ProcessUse(TimeSpan Processor, long AllocatedBytes, TimeSpan CollectionPauses)
{
    /// <summary>Now.</summary>
    public static ProcessUse Read() =>
        new(Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(), GC.GetTotalPauseDuration());

    /// <summary>What was used after <paramref name="earlier"/>.</summary>
    public ProcessUse Since(ProcessUse earlier) =>
        new(
            Processor - earlier.Processor,
            AllocatedBytes - earlier.AllocatedBytes,
            CollectionPauses - earlier.CollectionPauses);
}
