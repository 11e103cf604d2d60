using Polyjuice.Simulation.Network;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Faults;

/// <summary>A kind of message, or of log record. As text <c>Prepare</c>, <c>Call</c>, <c>Answer</c>;
/// <c>log.Prepare</c>.</summary>
internal readonly record struct ProtocolStep
{
    private const string OfLog = "log.";

    // What the host carries is no engine message; its bits are beyond those.
    private const int Call = 62;
    private const int Answer = 63;

    private static readonly (string Name, ProtocolStep Step)[] Messages =
    [
        .. Enum.GetValues<MessageKind>().Where(kind => kind != MessageKind.Continue)
        .Select(kind => (kind.ToString(), new ProtocolStep(false, (int)kind))),
        (nameof(Call), new ProtocolStep(false, Call)),
        (nameof(Answer), new ProtocolStep(false, Answer)),
    ];

    private static readonly (string Name, ProtocolStep Step)[] Records =
    [
        .. Enum.GetValues<LogRecordKind>().Where(kind => kind is not (LogRecordKind.State or LogRecordKind.Latest))
        .Select(kind => (OfLog + kind, new ProtocolStep(true, (int)kind))),
    ];

    private ProtocolStep(bool isRecord, int kind)
    {
        IsRecord = isRecord;
        Kind = kind;
    }

    /// <summary>Every step that a fault can be aimed at.</summary>
    public static IReadOnlyList<ProtocolStep> All { get; } =
    [
        .. Messages.Select(m => m.Step), .. Records.Select(r => r.Step)
    ];

    /// <summary>Whether it is a record of a log, and not a message.</summary>
    public bool IsRecord { get; }

    /// <summary>The bit that stands for it among messages, or among records.</summary>
    internal int Kind { get; }

    /// <summary>Reads one.</summary>
    /// <exception cref="ArgumentException">There is no such step; the message lists those that are.</exception>
    public static ProtocolStep Parse(string text)
    {
        foreach (var (name, step) in Messages.Concat(Records))
        {
            if (name.Equals(text, StringComparison.OrdinalIgnoreCase)) return step;
        }

        throw new ArgumentException(
            $"'{text}' is no step; there are {string.Join(", ", Messages.Concat(Records).Select(s => s.Name))}.");
    }

    /// <inheritdoc/>
    public override string ToString()
    {
        var step = this;
        return Array.Find(IsRecord ? Records : Messages, s => s.Step == step).Name ?? "none";
    }

    internal static ProtocolStep Of(MessageKind kind) => new(false, (int)kind);

    internal static ProtocolStep Of(LogRecordKind kind) => new(true, (int)kind);

    /// <summary>The bits of what a message carries.</summary>
    internal static ulong KindsOf(NetworkMessage message) => message.Kind switch
    {
        TrafficKind.Call => 1UL << Call,
        TrafficKind.Answer => 1UL << Answer,
        _ => message.Kinds,
    };
}
