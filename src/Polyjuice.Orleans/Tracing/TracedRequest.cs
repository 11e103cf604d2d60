using System.Buffers;
using Orleans.Runtime;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Polyjuice.Orleans.Calls;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Tracing;

/// <summary>A request that has started a transaction, as traces have it.</summary>
/// <param name="request">It.</param>
/// <param name="grain">Where it came.</param>
/// <param name="kept">Its arguments as they came, if bodies can change theirs.</param>
/// <param name="serializer">Writes them.</param>
internal sealed class TracedRequest(
    IInvokable request, IGrainContext grain, RequestArguments? kept, Serializer serializer) : ITracedCall
{
    /// <summary>
    /// How arguments are encoded: as an array of objects, by Orleans'
    /// serializer, whose format says itself what its parts are.
    /// </summary>
    public const string Encoding = "orleans";

    /// <inheritdoc/>
    public TracedMethod Method => TracedMethods.Of(request, grain);

    /// <inheritdoc/>
    public string GrainKey => grain.GrainId.Key.ToString()!;

    /// <inheritdoc/>
    public void WriteArguments(IBufferWriter<byte> output)
    {
        var arguments = new List<object?>();
        for (var i = 0; i < request.GetArgumentCount(); i++)
        {
            var argument = kept is null ? request.GetArgument(i) : kept.Values[i];
            if (argument is not CancellationToken) arguments.Add(argument);
        }

        serializer.Serialize(arguments.ToArray(), output);
    }
}
