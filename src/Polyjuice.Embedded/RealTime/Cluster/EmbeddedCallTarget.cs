using Polyjuice.Embedded.Core;
using Polyjuice.Execution;
using Polyjuice.Tracing;

namespace Polyjuice.Embedded;

/// <summary>
/// Makes recorded calls again on an embedded cluster, from its client. Thread-safe; fastest where <see cref="EmbeddedClient.RunAsync(Func{Task})"/> runs whoever uses it. Traces of Orleans can't be replayed on it: that has another encoding of
/// arguments.
/// </summary>
public sealed class EmbeddedCallTarget : ICallTarget
{
    private readonly EmbeddedCluster _cluster;

    internal EmbeddedCallTarget(EmbeddedCluster cluster) => _cluster = cluster;

    /// <inheritdoc/>
    public string ArgumentEncoding => TracedCall.Encoding;

    /// <inheritdoc/>
    public EngineStatistics Statistics => _cluster.Statistics.Engine;

    /// <inheritdoc/>
    public ICallableMethod Find(TracedMethod method)
    {
        ArgumentNullException.ThrowIfNull(method);
        var types = _cluster.Runtime.Grains.Types;
        var grainClass = types.Classes.Find(known => known.Name == method.GrainType) ?? throw new CallUnknownException($"there is no grain class {method.GrainType} here");
        var known = types.Interfaces.Values.FirstOrDefault(known => TracedMethod.NameOf(known.InterfaceType) == method.Interface)
            ?? throw new CallUnknownException($"there is no grain interface {method.Interface} here");
        if (!grainClass.Type.IsAssignableTo(known.InterfaceType)) throw new CallUnknownException($"{method.GrainType} does not implement {method.Interface} here");
        var found = known.Methods.FirstOrDefault(one => one.ParameterTypes is { } parameters && TracedMethod.SignatureOf(one.MethodName, parameters()) == method.Signature)
            ?? throw new CallUnknownException($"{method.Interface} has no such transactional method here");
        return new CallableMethod(_cluster.Runtime, found, grainClass);
    }
}
