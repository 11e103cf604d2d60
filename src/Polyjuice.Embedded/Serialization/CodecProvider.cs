using System.Collections.Concurrent;
using System.Reflection;
using Polyjuice.Embedded.Invocation;

namespace Polyjuice.Embedded.Serialization;

/// <summary>Finds the codec of a type: a built-in one, a registered one, or one made from those. Thread-safe.</summary>
public sealed class CodecProvider
{
    private readonly ConcurrentDictionary<Type, object> _codecs = new();
    private readonly ConcurrentDictionary<Type, UntypedCodec> _untyped = new();
    private readonly ConcurrentDictionary<Type, Type> _openCodecs = new();
    private readonly ConcurrentDictionary<Assembly, bool> _assemblies = new();

    /// <summary>Makes a provider that knows the built-in codecs, and those of any assembly with a generated manifest once one of its types is asked for.</summary>
    public CodecProvider() => BuiltInCodecs.Register(this);

    /// <summary>The process's provider, which generated calls use: what a type looks like on the wire is no matter of configuration.</summary>
    public static CodecProvider Shared { get; } = new();

    /// <summary>The names of types on the wire.</summary>
    internal TypeNames Names { get; } = new();

    /// <summary>Registers a type's codec. The first registration of a type stays.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="codec">Its codec.</param>
    /// <param name="alias">The type's name on the wire, or <see langword="null"/> for its full name.</param>
    public void Register<T>(IValueCodec<T> codec, string? alias = null)
    {
        if (_codecs.TryAdd(typeof(T), codec)) Names.Add(typeof(T), alias);
    }

    /// <summary>Registers a generic type's codec. The first registration of a type stays.</summary>
    /// <param name="openType">The generic type definition.</param>
    /// <param name="openCodecType">The codec's, with the same type parameters and a constructor that takes a <see cref="CodecProvider"/>.</param>
    /// <param name="alias">The type's name on the wire, or <see langword="null"/> for its full name.</param>
    public void RegisterGeneric(Type openType, Type openCodecType, string? alias = null)
    {
        if (_openCodecs.TryAdd(openType, openCodecType)) Names.Add(openType, alias);
    }

    /// <summary>The codec of <typeparamref name="T"/>. Slow the first time; keep the result. Throws <see cref="CodecNotFoundException"/>.</summary>
    /// <typeparam name="T">The type.</typeparam>
    public IValueCodec<T> Get<T>() => (IValueCodec<T>)Get(typeof(T));

    /// <summary>The codec of a type that is known only when running.</summary>
    internal UntypedCodec GetUntyped(Type type) =>
        _untyped.TryGetValue(type, out var known) ? known : _untyped.GetOrAdd(type, Wrap(type, Get(type)));

    /// <summary>The <see cref="IValueCodec{T}"/> of <paramref name="type"/>.</summary>
    internal object Get(Type type) =>
        _codecs.TryGetValue(type, out var known) ? known : _codecs.GetOrAdd(type, Make(type) ?? throw new CodecNotFoundException(type));

    /// <summary>Whether an exception class has a codec of its own rather than the one for all exceptions.</summary>
    internal bool HasOwnCodec(Type exception) =>
        Get(exception) is var codec && !(codec.GetType().IsGenericType && codec.GetType().GetGenericTypeDefinition() == typeof(DerivedExceptionCodec<>));

    /// <summary>Whether a type's codec was generated, or carries its members one by one as those do.</summary>
    internal bool IsGenerated(Type type) =>
        (_codecs.TryGetValue(type, out var codec) && codec is IMemberCodec and not ExceptionCodec)
        || (type.IsConstructedGenericType && _openCodecs.TryGetValue(type.GetGenericTypeDefinition(), out var open)
            && open.IsAssignableTo(typeof(IMemberCodec)));

    /// <summary>The types without type parameters that have generated codecs, with their names on the wire, in those names' order.</summary>
    internal IEnumerable<(Type Type, string Name)> GeneratedTypes() => _codecs
        .Where(static pair => pair.Value is IMemberCodec && !pair.Key.IsGenericType)
        .Select(pair => (pair.Key, Names.NameOf(pair.Key)))
        .OrderBy(static pair => pair.Item2, StringComparer.Ordinal);

    /// <summary>Registers what the type's assembly, and those of its type arguments, have generated.</summary>
    internal void LoadManifestOf(Type type)
    {
        LoadManifest(type.Assembly);
        foreach (var argument in type.GetGenericArguments()) LoadManifestOf(argument);
    }

    private static UntypedCodec Wrap(Type type, object codec) =>
        (UntypedCodec)Activator.CreateInstance(typeof(UntypedCodec<>).MakeGenericType(type), codec)!;

    private object? Make(Type type)
    {
        if (type.IsArray) return type.IsSZArray ? New(typeof(ArrayCodec<>), type.GetElementType()!) : null;
        LoadManifest(type.Assembly);
        if (_codecs.TryGetValue(type, out var known)) return known;
        if (type.IsEnum)
        {
            Names.Add(type, null);
            return Activator.CreateInstance(typeof(EnumCodec<>).MakeGenericType(type));
        }

        if (type.IsGenericType && _openCodecs.TryGetValue(type.GetGenericTypeDefinition(), out var open))
            return Activator.CreateInstance(open.MakeGenericType(type.GetGenericArguments()), this);
        if (type.IsAssignableTo(typeof(Exception))) return New(typeof(DerivedExceptionCodec<>), type);

        // Anything may stand behind an interface or an abstract class; what does is named in the message.
        var isBase = type.IsInterface || (type.IsClass && type.IsAbstract && !type.IsAssignableTo(typeof(Delegate)));
        return isBase && !IsFrameworkType(type) ? New(typeof(PolymorphicCodec<>), type) : null;
    }

    private object New(Type open, Type argument) => Activator.CreateInstance(open.MakeGenericType(argument), this)!;

    private void LoadManifest(Assembly assembly)
    {
        if (_assemblies.TryAdd(assembly, true)) new ManifestBuilder(this).AddAssembly(assembly);
    }

    private static bool IsFrameworkType(Type type) =>
        type.Assembly == typeof(object).Assembly || type.FullName?.StartsWith("System.", StringComparison.Ordinal) == true;
}
