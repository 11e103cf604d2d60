using Orleans;
using Orleans.Concurrency;

namespace BankSilo.Training;

/// <summary>The cluster's trainer. There is one, of key 0, on one silo at a time; whoever calls it makes sure that it is there.</summary>
internal interface ITrainerGrain : IGrainWithIntegerKey
{
    /// <summary>What it is at. Answers at once, whatever it is at.</summary>
    [AlwaysInterleave]
    Task<TrainerReport> GetReport();
}
