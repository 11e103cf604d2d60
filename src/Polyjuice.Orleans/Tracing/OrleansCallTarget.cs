using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Runtime;
using Orleans.Serialization;
using Orleans.Serialization.Configuration;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Tracing;

/// <summary>
/// Makes recorded calls again on a cluster of Orleans, such as a TestCluster, from one of its clients, whose process
/// must know the application's grain interfaces. Thread-safe.
/// </summary>
internal sealed class OrleansCallTarget : ICallTarget
{
    private readonly IClusterClient _client;
    private readonly Serializer _serializer;
    private readonly IReadOnlyCollection<Type> _interfaces;
    private readonly IClusterManifestProvider _manifest;

    /// <summary>Creates it.</summary>
    /// <param name="client">Who makes the calls. It is not disposed here.</param>
    public OrleansCallTarget(IClusterClient client)
    {
        ArgumentNullException.ThrowIfNull(client);
        _client = client;
        _serializer = client.ServiceProvider.GetRequiredService<Serializer>();
        _interfaces = client.ServiceProvider.GetRequiredService<IOptions<TypeManifestOptions>>().Value.Interfaces;
        _manifest = client.ServiceProvider.GetRequiredService<IClusterManifestProvider>();
    }

    /// <inheritdoc/>
    public string ArgumentEncoding => TracedRequest.Encoding;

    /// <inheritdoc/>
    public ICallableMethod Find(TracedMethod method)
    {
        ArgumentNullException.ThrowIfNull(method);
        var grainType = GrainType.Create(method.GrainType);
        if (!_manifest.Current.AllGrainManifests.Any(manifest => manifest.Grains.ContainsKey(grainType)))
            throw new CallUnknownException($"there is no grain type {method.GrainType} here");
        var grainInterface = _interfaces.FirstOrDefault(known => TracedMethod.NameOf(known) == method.Interface)
            ?? throw new CallUnknownException($"there is no grain interface {method.Interface} here");
        var found = MethodsOf(grainInterface)
            .FirstOrDefault(
                one => TracedMethod.SignatureOf(
                    one.Name, one.GetParameters().Select(parameter => parameter.ParameterType)) == method.Signature)
            ?? throw new CallUnknownException($"{method.Interface} has no such method here");
        return new CallableMethod(_client, _serializer, grainType, grainInterface, found);
    }

    private static IEnumerable<MethodInfo> MethodsOf(Type grainInterface) =>
        grainInterface.GetMethods()
            .Concat(grainInterface.GetInterfaces().SelectMany(inherited => inherited.GetMethods()));
}
