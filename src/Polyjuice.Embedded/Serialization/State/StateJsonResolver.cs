using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Polyjuice.Embedded.Serialization;

/// <summary>Describes types with a generated codec to the JSON serialiser by the members that the codec carries; others as it does itself.</summary>
internal sealed class StateJsonResolver(CodecProvider provider) : IJsonTypeInfoResolver
{
    private readonly DefaultJsonTypeInfoResolver _default = new();

    public JsonTypeInfo? GetTypeInfo(Type type, JsonSerializerOptions options)
    {
        if (!provider.IsGenerated(type)) return _default.GetTypeInfo(type, options);
        var codec = (IMemberCodec)provider.Get(type);
        var builder = (TypeInfoBuilder)Activator.CreateInstance(typeof(TypeInfoBuilder<>).MakeGenericType(type), codec, options)!;
        return builder.Build(provider);
    }

    private abstract class TypeInfoBuilder
    {
        public abstract JsonTypeInfo Build(CodecProvider provider);
    }

    private sealed class TypeInfoBuilder<T>(IMemberCodec codec, JsonSerializerOptions options) : TypeInfoBuilder, IMemberVisitor
        where T : notnull
    {
        private readonly List<JsonPropertyInfo> _members = [];

        public override JsonTypeInfo Build(CodecProvider provider)
        {
            codec.Describe(this);
            var info = JsonMetadataServices.CreateObjectInfo(options, new JsonObjectInfoValues<T>
            {
                ObjectCreator = typeof(T).IsAbstract ? null : () => (T)codec.Create(),
                NumberHandling = options.NumberHandling,
                PropertyMetadataInitializer = _ => [.. _members],
            });
            info.PolymorphismOptions = Derived(provider);
            return info;
        }

        public void Visit<TMember>(string name, Func<object, TMember> get, Action<object, TMember> set)
        {
            // A class may carry a member of the same name as its base's; each is there under its own.
            while (_members.Any(member => member.Name == name)) name = "base." + name;
            var setter = KeptComparer.For<TMember>() is { } keep ? (instance, member) => set(instance, keep(get(instance), member)) : set;
            _members.Add(JsonMetadataServices.CreatePropertyInfo(options, new JsonPropertyInfoValues<TMember>
            {
                IsProperty = true,
                IsPublic = true,
                DeclaringType = typeof(T),
                PropertyName = name,
                JsonPropertyName = name,
                Getter = get!,
                Setter = setter!,
            }));
        }

        private static JsonPolymorphismOptions? Derived(CodecProvider provider)
        {
            if (typeof(T).IsSealed || typeof(T).IsValueType) return null;
            var derived = new JsonPolymorphismOptions { UnknownDerivedTypeHandling = JsonUnknownDerivedTypeHandling.FailSerialization };
            foreach (var (type, name) in provider.GeneratedTypes())
            {
                if (type.IsSubclassOf(typeof(T)) && !type.IsAbstract) derived.DerivedTypes.Add(new(type, name));
            }

            return derived.DerivedTypes.Count == 0 ? null : derived;
        }
    }
}
