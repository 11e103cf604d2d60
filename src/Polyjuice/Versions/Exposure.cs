using Polyjuice.Policies;

namespace Polyjuice.Versions;

/// <summary>Exposure before ordering: running transactions show others what they have written.</summary>
internal static class Exposure
{
    /// <summary>Exposes everything that a transaction has buffered here.</summary>
    /// <returns>Whether there was anything that was not exposed yet.</returns>
    public static bool ExposeAll(Branch branch)
    {
        if (branch.State != BranchState.Running) return false;
        var isNew = false;
        foreach (var entry in branch.Entries)
        {
            if (entry.Write is not { } write) continue;
            var wasPrivate = write.Status == VersionStatus.Private;
            isNew |= TryExpose(entry) && wasPrivate;
        }

        return isNew;
    }

    /// <summary>Exposes what a running transaction has written at one participant, and says whether it is.</summary>
    public static bool TryExpose(AccessEntry entry)
    {
        Expose(entry);
        if (entry.Write is not { Status: VersionStatus.Exposed } write) return false;
        entry.Participant.List(write.Writer!, AccessKind.Update, listed: true);
        return true;
    }

    /// <summary>
    /// Makes a private version visible to dirty reads, if it still fits on the tip. If not, validation will tell.
    /// </summary>
    private static void Expose(AccessEntry entry)
    {
        if (entry.Write is not { Status: VersionStatus.Private } write || entry.Participant.Tip != entry.Read) return;
        write.Status = VersionStatus.Exposed;
        entry.Participant.Exposed.Add(write);
    }
}
