namespace Polyjuice.Versions;

/// <summary>A value as the log has it. A type of its own, because a state may itself be an array of bytes.</summary>
/// <param name="bytes">What the state's codec wrote.</param>
internal sealed class EncodedState(byte[] bytes)
{
    public byte[] Bytes { get; } = bytes;
}
