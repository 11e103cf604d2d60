using Polyjuice.Execution;

namespace Polyjuice.Commit;

// Declared read-only transactions: rule D1.
internal sealed partial class PartitionOwner
{
    private readonly SnapshotHorizon _snapshotHorizon;

    /// <summary>
    /// The last version below the snapshot's timestamp, once it is decided; its read timestamp then covers the snapshot, so that no
    /// later writer gets below it; it is pinned for the caller, who unpins it. <see langword="null"/> when it was pruned, stayed undecided for
    /// too long, or the owner changed.
    /// </summary>
    public async ValueTask<StateVersion?> ReadSnapshotAsync(LocalTransaction transaction, Participant participant, int siteId)
    {
        var timestamp = transaction.Start;
        while (timestamp > Ceiling && _engine.Breaks != ProtocolBreaks.RoCeiling)
        {
            if (!IsActive) return null;
            if (IsLogOut)
            {
                _engine.DoomByLog(transaction, participant, siteId);
                return null;
            }

            await _ceiling.WhenReleased(timestamp);
        }

        while (IsActive)
        {
            var version = participant.Last;
            while (version.Wts >= timestamp)
            {
                if (version.Previous is not { } previous)
                {
                    _snapshotHorizon.Missed(timestamp, _engine.Now);
                    return null;
                }

                version = previous;
            }

            if (_engine.Breaks == ProtocolBreaks.RoSkip)
            {
                while (!version.IsCommitted && version.Previous is { } previous) version = previous;
            }

            if (version.IsCommitted || version.Writer is not { } writer || _engine.Breaks == ProtocolBreaks.RoUndecided)
            {
                if (_engine.Breaks != ProtocolBreaks.NoRtsBump) version.Rts = Math.Max(version.Rts, timestamp);
                version.Pins++;
                _engine.Events?.ReadSnapshot(_ownership, transaction.Id, version, timestamp);
                return version;
            }

            if (IsLogOut)
            {
                _engine.DoomByLog(transaction, participant, siteId);
                return null;
            }

            // An ordered version may be aborted yet; returning or skipping it would both be wrong.
            if (!await _engine.Waits.WaitAsync(transaction, writer.Transaction, Wait.Decided, siteId)) return null;
            if (version.IsCommitted || version.Status != VersionStatus.Ordered) continue;

            // Its transaction has ended as far as waits go, and yet this version is undecided: look again later, within bounds.
            if (_engine.Now >= transaction.Deadline) return null;
            await _engine.Delay(Options.TickMicroseconds);
        }

        return null;
    }
}
