using System.Buffers;
using Polyjuice.Agents;

namespace Polyjuice.Tracing;

/// <summary>
/// The call that a transaction began with, for recorders of calls. Used on the
/// engine's turn, when the transaction has ended and before its caller is told.
/// </summary>
internal interface ITracedCall : IRootCall
{
    /// <summary>What was called.</summary>
    TracedMethod Method { get; }

    /// <summary>The key of the grain that was called, the second part of its identity as text.</summary>
    string GrainKey { get; }

    /// <summary>
    /// Writes the arguments as they came, whatever bodies have done to theirs, in the host's encoding. What it throws
    /// means that they can't be encoded: the call is recorded without them, and counted. What <paramref name="output"/>
    /// throws must be passed on: the arguments are larger than is recorded.
    /// </summary>
    /// <param name="output">Where to.</param>
    void WriteArguments(IBufferWriter<byte> output);
}
