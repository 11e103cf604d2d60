using System.Buffers;
using Orleans.Transactions;
using Polyjuice.Agents;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// What comes up with the answer of a call that another silo has run. Orleans' transaction info is sealed, but it
/// collects participants; so the report travels as the name of one that has no role, and is taken out again where it
/// arrives.
/// </summary>
internal static class CallReport
{
    private const string Prefix = "polyjuice:";

    /// <summary>The engine's bytes. The frame has ended; on the engine's turn.</summary>
    public static byte[] Write(CallFrame frame)
    {
        var output = new ArrayBufferWriter<byte>(256);
        frame.WriteReport(output);
        return output.WrittenSpan.ToArray();
    }

    /// <summary>An answer's info with a report. Of each run of a call there is another info.</summary>
    public static TransactionInfo Add(TransactionInfo info, byte[] report)
    {
        // Its participants may be those of other infos, too.
        var own = new TransactionInfo(info) { OriginalException = info.OriginalException };
        own.Participants.Add(new ParticipantId(Prefix + Convert.ToBase64String(report), null!, 0), default);
        return own;
    }

    /// <summary>Takes the report out of an answer.</summary>
    /// <returns>The engine's bytes, or <see langword="null"/> if there is none.</returns>
    public static byte[]? Take(TransactionInfo info)
    {
        foreach (var (participant, _) in info.Participants)
        {
            if (participant.SupportedRoles != 0 || !participant.Name.StartsWith(Prefix, StringComparison.Ordinal))
                continue;
            info.Participants.Remove(participant);
            return Convert.FromBase64String(participant.Name[Prefix.Length..]);
        }

        return null;
    }
}
