using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Partitions;

/// <summary>Declared read-only transactions: rule D1. On its engine's turn.</summary>
internal sealed class SnapshotReads(
    OwnerParts shared, Ownership ownership, TimestampCeiling ceiling, LogHealth health, SnapshotHorizon horizon)
{
    /// <summary>
    /// The last version below the snapshot's timestamp, once it is decided; its read timestamp then covers the
    /// snapshot, so that no later writer gets below it; it is pinned for the caller, who unpins it.
    /// <see langword="null"/> when it was pruned, stayed undecided for too long, or the owner changed.
    /// </summary>
    public async ValueTask<StateVersion?> ReadAsync(LocalTransaction transaction, Participant participant, int siteId)
    {
        var timestamp = transaction.Start;
        while (timestamp > ceiling.Durable && shared.Breaks != ProtocolBreaks.RoCeiling)
        {
            if (!ownership.IsActive) return null;
            if (health.IsOut)
            {
                shared.Lifecycle.DoomByLog(transaction, participant, siteId);
                return null;
            }

            await ceiling.WhenReleased(timestamp);
        }

        while (ownership.IsActive)
        {
            if (LastBelow(participant, timestamp) is not { } version) return null;
            if (version.IsCommitted || version.Writer is not { } writer || shared.Breaks == ProtocolBreaks.RoUndecided)
            {
                if (shared.Breaks != ProtocolBreaks.NoRtsBump) version.Rts = Math.Max(version.Rts, timestamp);
                version.Pins++;
                shared.Events?.ReadSnapshot(ownership, transaction.Id, version, timestamp);
                return version;
            }

            if (health.IsOut)
            {
                shared.Lifecycle.DoomByLog(transaction, participant, siteId);
                return null;
            }

            // An ordered version may be aborted yet; returning or skipping it would both be wrong.
            if (!await shared.Waits.WaitAsync(transaction, writer.Transaction, Wait.Decided, siteId)) return null;
            if (version.IsCommitted || version.Status != VersionStatus.Ordered) continue;

            // Its transaction has ended as far as waits go, and yet this version is undecided: look again later, within
            // bounds.
            if (shared.Now >= transaction.Deadline) return null;
            await shared.Timers.Delay(shared.Options.TickMicroseconds);
        }

        return null;
    }

    private StateVersion? LastBelow(Participant participant, long timestamp)
    {
        var version = participant.Last;
        while (version.Wts >= timestamp)
        {
            if (version.Previous is not { } previous)
            {
                horizon.Missed(timestamp, shared.Now);
                return null;
            }

            version = previous;
        }

        if (shared.Breaks == ProtocolBreaks.RoSkip)
        {
            while (!version.IsCommitted && version.Previous is { } previous) version = previous;
        }

        return version;
    }
}
