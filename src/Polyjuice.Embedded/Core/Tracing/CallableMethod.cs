using Orleans.Runtime;
using Polyjuice.Embedded.Invocation;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Tracing;

namespace Polyjuice.Embedded.Core;

/// <summary>A grain method whose recorded calls are made again.</summary>
internal sealed class CallableMethod(CallRuntime runtime, GrainMethodDescriptor method, GrainClass grainClass) : ICallableMethod
{
    /// <inheritdoc/>
    public Func<Task<CallEnd>> Prepare(string grainKey, ReadOnlyMemory<byte> arguments)
    {
        var call = method.Create();
        GrainReference reference;
        try
        {
            var reader = new WireReader(arguments.Span, runtime);
            call.ReadArguments(ref reader);
            if (!reader.Rest.IsEmpty) throw new WireFormatException($"{reader.Rest.Length} bytes are left over.");
            reference = runtime.Grains.Cast(method.InterfaceType, new GrainId(grainClass.Name, GrainKeys.Of(grainKey)));
        }
        catch (Exception exception)
        {
            // Whatever a codec makes of bytes that another version of a type has written.
            throw new CallUnknownException($"its arguments can't be read ({exception.Message.TrimEnd('.')})", exception);
        }

        return () => MakeAsync(call, reference);
    }

    private static async Task<CallEnd> MakeAsync(Invokable call, GrainReference reference)
    {
        try
        {
            await call.SendAsync(reference);
            return new CallEnd(CallOutcome.Committed);
        }
        catch (Exception exception)
        {
            return CallOutcomes.Of(exception);
        }
    }
}
