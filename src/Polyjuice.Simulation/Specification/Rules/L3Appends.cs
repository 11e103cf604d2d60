using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>L3: after a failed append the same batch is tried at the same position, until there is an answer.</summary>
internal static class L3Appends
{
    private const string Rule = "L3";

    /// <summary>No other batch takes the place of one that may be written yet, and none changes its place.</summary>
    public static void Check(OwnerModel owner, in AppendAsked e)
    {
        if (owner.Log.Batches.TryGetValue(e.Batch, out var position) && position != e.Position)
            throw Rejected.By(Rule, e.ToString(), $"it is at {position}: {owner}");
        foreach (var asked in owner.Asked)
        {
            if (asked.Batch == e.Batch && asked.Position != e.Position)
                throw Rejected.By(Rule, e.ToString(), $"it was to go to {asked.Position}: {owner}");
            if (asked.Batch != e.Batch && asked.Position == e.Position)
                throw Rejected.By(Rule, e.ToString(), $"batch {asked.Batch} was to go there, and may yet: {owner}");
        }
    }
}
