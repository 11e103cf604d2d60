namespace Polyjuice.Wire;

/// <summary>
/// Bits of <see cref="Message.Flags"/>, each called by what it says in most kinds. What it says in another one is said
/// by the type in <c>Messages/</c> that the message is made and read with.
/// </summary>
[Flags]
internal enum MessageFlags : byte
{
    None = 0,
    Committed = 1,
    Aborted = 2,
    Final = 4,
    Unknown = 8,
    Logged = 16,
    ToAgent = 32,
    Asks = 64,
    MayRaise = 128,
}

internal static class MessageFlagsExtensions
{
    /// <summary>The flag if something holds, else none.</summary>
    public static MessageFlags When(this MessageFlags flag, bool holds) => holds ? flag : MessageFlags.None;
}
