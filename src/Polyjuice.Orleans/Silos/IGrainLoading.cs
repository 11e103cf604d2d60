using Orleans;
using Orleans.Concurrency;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Silos;

/// <summary>What silos ask of a grain whose states are to be reserved.</summary>
[Alias("Polyjuice.IGrainLoading")]
internal interface IGrainLoading : IGrainExtension
{
    /// <summary>Nothing: a grain that can be called has been activated.</summary>
    [AlwaysInterleave, Alias("Load")]
    Task Load();
}
