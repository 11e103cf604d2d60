using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Polyjuice.Agents;

namespace Polyjuice.Orleans.Calls;

/// <summary>What a call says of grains.</summary>
internal sealed class RequestKeys(IInvokable request, IGrainContext grain, IGrainNames names) : ICallKeys
{
    /// <inheritdoc/>
    public CallKeys Of(ITransactionBody body)
    {
        var keys = new CallKeys(grain.GrainId.ToString());
        for (var argument = 0; argument < request.GetArgumentCount(); argument++)
            keys.Add(argument, request.GetArgument(argument), names);
        return keys;
    }
}
