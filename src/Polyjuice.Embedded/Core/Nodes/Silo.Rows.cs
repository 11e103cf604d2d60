using Orleans;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

// States that are kept in rows are served where their grains are, and those are where their partitions are.
internal sealed partial class Silo
{
    /// <inheritdoc/>
    public override void WakeRow(string grain, string state) => Loop.Post(
        static state =>
        {
            var (silo, woken) = ((Silo, string))state!;
            silo.Wake(woken);
        },
        (this, grain));

    /// <inheritdoc/>
    public override void RowLost(string grain, string state)
    {
        if (Find(grain) is { } activation)
            activation.Deactivate(new(DeactivationReasonCode.Migrating, $"Another silo has taken over the grain's state {state}, or its row can't be used."));
    }

    // Whoever asked asks again, so nothing is lost where the partition is only about to be served.
    private void Wake(string grain) => ServedActivationOf(grain)?.Wake();

    /// <summary>The activation of a grain of this silo's, made now if there is none; <see langword="null"/> if the grain is not this silo's, or not known.</summary>
    private Activation? ServedActivationOf(string grain) =>
        _isServing[StableHash.Partition(grain, _isServing.Length)] && Parse(grain) is var (grainClass, key) ? ActivationOf(grainClass, key) : null;

    private Activation? Find(string grain) => Parse(grain) is var (grainClass, key) ? _activations[grainClass.Index].GetValueOrDefault(key) : null;

    private (GrainClass Class, string Key)? Parse(string grain)
    {
        var end = grain.IndexOf('/', StringComparison.Ordinal);
        if (end < 0) return null;
        var name = grain[..end];
        return Runtime.Grains.Types.Classes.Find(known => known.Name == name) is { } found ? (found, grain[(end + 1)..]) : null;
    }
}
