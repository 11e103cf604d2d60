using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>V7: one participant commits with one append.</summary>
internal static class V7OneParticipant
{
    /// <summary>Its prepare and its commit record are in one batch, unless it has a final step.</summary>
    public static void Check(RecoveredPrepare prepare, in BatchWritten e)
    {
        if (prepare.Parts.Length != 1 || prepare.Writes.Count == 0 || prepare.Parts[0].Decides) return;
        foreach (var record in e.Records)
        {
            if (record.Kind == LogRecordKind.Commit && record.Id == prepare.Id) return;
        }

        throw Rejected.By(
            "V7",
            e.ToString(),
            $"{prepare.Id} has one participant, and its prepare is logged without its commit record");
    }
}
