using Orleans;
using Orleans.Concurrency;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Rows;

/// <summary>What silos ask of a grain whose states are in rows.</summary>
[Alias("Polyjuice.IRowExtension")]
internal interface IRowExtension : IGrainExtension
{
    /// <summary>
    /// A grain that can be called has been activated, and has taken
    /// its rows over; one that has lost them since takes them again.
    /// </summary>
    /// <param name="state">A state's name.</param>
    /// <returns>Whether the grain keeps a state of that name in a row.</returns>
    [AlwaysInterleave, Alias("Wake")]
    Task<bool> Wake(string state);

    /// <summary>Waits until nothing of the grain's rows is undecided, and says what they hold.</summary>
    /// <param name="timeout">How long to wait.</param>
    /// <returns>One report for each state in a row.</returns>
    [AlwaysInterleave, Alias("Drain")]
    Task<RowReport[]> Drain(TimeSpan timeout);
}
