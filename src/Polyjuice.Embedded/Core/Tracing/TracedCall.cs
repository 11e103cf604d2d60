using System.Buffers;
using Polyjuice.Embedded.Invocation;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Tracing;

namespace Polyjuice.Embedded.Core;

/// <summary>A call that has begun a transaction, as traces have it. The arguments are those that no body was given.</summary>
internal sealed class TracedCall(TracedMethod method, string grainKey, Invokable call) : ITracedCall
{
    /// <summary>How arguments are encoded: as in messages between silos. Changes when that does.</summary>
    public const string Encoding = "polyjuice-embedded/1";

    /// <inheritdoc/>
    public TracedMethod Method => method;

    /// <inheritdoc/>
    public string GrainKey => grainKey;

    /// <inheritdoc/>
    public void WriteArguments(IBufferWriter<byte> output)
    {
        var writer = new WireWriter(output);
        call.WriteArguments(ref writer);
    }
}
