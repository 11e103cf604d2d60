using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Training.Orleans;

/// <summary>
/// The cluster's trainer (<c>AddTrainer</c>). There is one, of key <see cref="Key"/>, on one silo at a time: whoever
/// calls it makes sure that it is there. Silos do, so nobody else needs to.
/// </summary>
[Alias("Polyjuice.ITrainerGrain")]
public interface ITrainerGrain : IGrainWithIntegerKey
{
    /// <summary>The only key.</summary>
    const long Key = 0;

    /// <summary>What it is at. Answers at once, whatever it is at.</summary>
    /// <exception cref="InvalidOperationException">The silo that it came to has no <c>AddTrainer</c>; ask
    /// again.</exception>
    [AlwaysInterleave, Alias("GetReport")]
    Task<TrainerReport> GetReport();
}
