using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Rows;

/// <summary>
/// Refuses a state that is in the log while the silo is to keep it in a row, or the other way round: it would begin
/// anew. Thread-safe.
/// </summary>
internal sealed class HiddenStates(EngineTurn turn, EngineLife life, SiloLogs logs, GrainPlaces places)
{
    /// <summary>
    /// A grain with a state in a row is being activated here: a storage provider that was registered later must not
    /// hide what is in the log. Updates would go to the row, and be gone when the provider is.
    /// </summary>
    /// <exception cref="OrleansConfigurationException">The log holds the state.</exception>
    public void RequireNotInLog(GrainRow row)
    {
        using (turn.Enter())
        {
            if (!life.Engine.HoldsInLog(row.Key)) return;
        }

        throw new OrleansConfigurationException(
            $"State '{row.Key.State}' of grain {row.Key.Grain} is in the transaction logs ({logs.Place.Location}), and "
            + $"this silo is configured to keep it with {ProviderOf(row)}, where it is not. Keep it in the logs "
            + $"({OptionOf(row)} = {nameof(StateStorage)}.{nameof(StateStorage.Log)}), or take that provider out of "
            + "the silo.");
    }

    /// <summary>
    /// A grain with a state in the log is being activated here: the log must not hide a row of it, in which the state
    /// was until somebody said that it goes to the log. Looked at only while the log holds nothing of the state.
    /// </summary>
    /// <exception cref="OrleansConfigurationException">
    /// The row holds the state: in the log it would begin anew.
    /// </exception>
    /// <exception cref="Exception">The row could not be read, so that nobody knows.</exception>
    public async Task RequireNotInRowAsync(GrainRow row, CancellationToken cancellationToken)
    {
        using (turn.Enter())
        {
            // A grain that goes on to another silo is looked at there.
            var engine = life.Engine;
            if (!engine.Owns(places.PartitionOf(row.Grain.GrainId)) || engine.HoldsInLog(row.Key)) return;
        }

        if (!await row.HoldsStateAsync(cancellationToken)) return;
        throw new OrleansConfigurationException(
            $"State '{row.Key.State}' of grain {row.Key.Grain} is with {ProviderOf(row)}, and this silo is configured "
            + $"to keep it in the transaction logs ({logs.Place.Location}), where it is not. Keep it with that "
            + $"provider ({OptionOf(row)} = {nameof(StateStorage)}.{nameof(StateStorage.Provider)}); or, if it "
            + $"is to begin anew in the logs, remove the row, or set {nameof(PolyjuiceOptions)}."
            + $"{nameof(PolyjuiceOptions.LooksForHiddenRows)} = false.");
    }

    private static string ProviderOf(GrainRow row) =>
        row.Storage.Length == 0 ? "the silo's default storage provider" : $"the storage provider '{row.Storage}'";

    private static string OptionOf(GrainRow row) =>
        $"{nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.StateStorageOf)}[\"{row.Storage}\"]";
}
