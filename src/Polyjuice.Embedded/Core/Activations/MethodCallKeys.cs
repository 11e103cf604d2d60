using Polyjuice.Embedded.Invocation;
using Polyjuice.Execution;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Embedded.Core;

/// <summary>What a method's calls say of grains.</summary>
internal sealed class MethodCallKeys(GrainMethodDescriptor method, IGrainNames names) : ICallKeys
{
    private readonly int[] _arguments = [.. (method.ParameterTypes?.Invoke() ?? []).Index().Where(parameter => parameter.Item != typeof(CancellationToken)).Select(parameter => parameter.Index)];

    /// <inheritdoc/>
    public CallKeys Of(ITransactionBody body)
    {
        var run = (Activation.RootRun)body;
        var keys = new CallKeys(run.Activation.GrainId.ToString());
        foreach (var argument in _arguments) keys.Add(argument, run.Arguments.ArgumentAt(argument), names);
        return keys;
    }
}
