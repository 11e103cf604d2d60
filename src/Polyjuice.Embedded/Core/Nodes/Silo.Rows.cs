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
    private void Wake(string grain)
    {
        if (!_isServing[StableHash.Partition(grain, _isServing.Length)] || Parse(grain) is not var (grainClass, key)) return;
        ActivationOf(grainClass, key).Wake();
    }

    private Activation? Find(string grain) => Parse(grain) is var (grainClass, key) ? _activations[grainClass.Index].GetValueOrDefault(key) : null;

    private (GrainClass Class, string Key)? Parse(string grain)
    {
        var end = grain.IndexOf('/', StringComparison.Ordinal);
        if (end < 0) return null;
        var name = grain[..end];
        return Runtime.Grains.Types.Classes.Find(known => known.Name == name) is { } found ? (found, grain[(end + 1)..]) : null;
    }
}
