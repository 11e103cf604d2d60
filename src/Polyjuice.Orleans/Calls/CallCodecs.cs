using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Serialization.Codecs;
using Orleans.Serialization.Configuration;
using Orleans.Serialization.Serializers;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// The codecs of transactional calls. Where nothing goes along with a call, what is on the wire is what Orleans has
/// always sent. On silos, what Orleans' generator has made for requests of transactional methods is taken out of the
/// manifest of all codecs, so that Orleans asks here for those types' codecs; on clients the manifest stays as it is.
/// Thread-safe.
/// </summary>
internal sealed class CallCodecs(
    TransactionCalls calls, IServiceProvider services) : ISpecializableCodec, IPostConfigureOptions<TypeManifestOptions>
{
    // By type of request; open types of those that are generic.
    private readonly ConcurrentDictionary<Type, Type> _generated = new();

    /// <inheritdoc/>
    public bool IsSupportedType(Type type) => type == typeof(TransactionCall) || GeneratedFor(type) is not null;

    /// <inheritdoc/>
    public IFieldCodec GetSpecializedCodec(Type type) =>
        GeneratedFor(type) is { } generated
            ? new RequestCodec((IFieldCodec)ActivatorUtilities.CreateInstance(services, generated), calls)
            : new CallCodec(calls, services);

    /// <inheritdoc/>
    public void PostConfigure(string? name, TypeManifestOptions options)
    {
        foreach (var codec in options.Serializers.ToArray())
        {
            if (RequestOf(codec) is not { } request) continue;
            options.Serializers.Remove(codec);
            _generated[request] = codec;
        }
    }

    private static Type? RequestOf(Type codec)
    {
        foreach (var implemented in codec.GetInterfaces())
        {
            if (!implemented.IsGenericType || implemented.GetGenericTypeDefinition() != typeof(IFieldCodec<>)) continue;
            var type = implemented.GetGenericArguments()[0];

            // The base class has a codec too, for what all requests have in common.
            if (!type.IsAbstract && typeof(TransactionRequestBase).IsAssignableFrom(type))
                return type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        }

        return null;
    }

    private Type? GeneratedFor(Type type) => type.IsConstructedGenericType
        ? _generated.GetValueOrDefault(type.GetGenericTypeDefinition())?.MakeGenericType(type.GetGenericArguments())
        : _generated.GetValueOrDefault(type);
}
