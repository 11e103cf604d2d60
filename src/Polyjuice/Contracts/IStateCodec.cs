using System.Buffers;

namespace Polyjuice.Contracts;

/// <summary>
/// How the engine copies, writes and reads one state type. What a grain's code can reach must never change a version,
/// so <see cref="Copy(T)"/> is deep. Members are called on the engine's turn only.
/// </summary>
/// <typeparam name="T">The state type.</typeparam>
internal interface IStateCodec<T> where T : class
{
    /// <summary>Stable name of the encoding, recorded by the partition ("json", …).</summary>
    string Name { get; }

    /// <summary>Whether instances can't be changed by anyone, so that a version itself may be handed out.</summary>
    bool IsImmutable { get; }

    /// <summary>The state of a grain that was never written.</summary>
    T Create();

    /// <summary>A deep copy that shares nothing mutable with <paramref name="value"/>.</summary>
    T Copy(T value);

    /// <summary>
    /// <see cref="Copy(T)"/> for the engine's own keeping, which may be made in an instance that is of no use any more:
    /// states that live just long enough to be copied by every generation of garbage collection are most of what that
    /// costs.
    /// </summary>
    /// <param name="value">What to copy.</param>
    /// <param name="spent">
    /// What <see cref="Copy(T)"/>, <see cref="Decode"/> or <see cref="Create"/> made, and what no one but the engine
    /// has ever seen, unless <see cref="IsImmutable"/>.
    /// </param>
    /// <returns>
    /// A deep copy that shares nothing mutable with <paramref name="value"/>:
    /// <paramref name="spent"/> filled anew, or another instance.
    /// </returns>
    T Copy(T value, T spent) => Copy(value);

    /// <summary>Writes <paramref name="value"/> for the log.</summary>
    void Encode(T value, IBufferWriter<byte> output);

    /// <summary>The reverse of <see cref="Encode"/>.</summary>
    T Decode(ReadOnlySpan<byte> bytes);
}
