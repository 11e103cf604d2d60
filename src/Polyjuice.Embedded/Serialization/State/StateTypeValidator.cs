using System.Collections.Immutable;

namespace Polyjuice.Embedded.Serialization;

/// <summary>Walks through a state type and everything that its members may hold.</summary>
internal sealed class StateTypeValidator(CodecProvider provider)
{
    private static readonly HashSet<Type> Values =
    [
        typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong), typeof(char), typeof(bool),
        typeof(float), typeof(double), typeof(decimal), typeof(string), typeof(Guid), typeof(DateTime), typeof(DateTimeOffset), typeof(TimeSpan),
        typeof(DateOnly), typeof(TimeOnly), typeof(Uri), typeof(Version),
    ];

    private static readonly HashSet<Type> Collections =
    [
        typeof(List<>), typeof(HashSet<>), typeof(Queue<>), typeof(Stack<>), typeof(SortedSet<>), typeof(ImmutableArray<>),
        typeof(ImmutableList<>), typeof(ImmutableQueue<>), typeof(ImmutableStack<>), typeof(ImmutableHashSet<>), typeof(ImmutableSortedSet<>),
        typeof(IEnumerable<>), typeof(ICollection<>), typeof(IList<>), typeof(IReadOnlyCollection<>), typeof(IReadOnlyList<>), typeof(ISet<>),
        typeof(IReadOnlySet<>), typeof(Nullable<>), typeof(KeyValuePair<,>),
    ];

    private static readonly HashSet<Type> Dictionaries =
    [
        typeof(Dictionary<,>), typeof(SortedDictionary<,>), typeof(IDictionary<,>), typeof(IReadOnlyDictionary<,>), typeof(ImmutableDictionary<,>),
        typeof(ImmutableSortedDictionary<,>),
    ];

    private readonly HashSet<Type> _visited = [];

    /// <summary>Throws <see cref="CodecNotFoundException"/> when the type can't be a state's.</summary>
    public void Validate(Type stateType)
    {
        provider.LoadManifestOf(stateType);
        if (!provider.IsGenerated(stateType)) throw new CodecNotFoundException(stateType, "it is the state of a grain; mark it [GenerateSerializer].");
        if (stateType.IsAbstract || stateType.GetConstructor(Type.EmptyTypes) is null)
            throw new CodecNotFoundException(stateType, "it is the state of a grain, so it needs a public constructor without parameters.");
        Check(stateType, stateType, stateType.Name);
    }

    private void Check(Type type, Type stateType, string path)
    {
        if (!_visited.Add(type) || Values.Contains(type) || type.IsEnum) return;
        if (type.IsSZArray)
        {
            Check(type.GetElementType()!, stateType, path);
            return;
        }

        provider.LoadManifestOf(type);
        if (provider.IsGenerated(type))
        {
            ((IMemberCodec)provider.Get(type)).Describe(new MemberChecker(this, stateType, path));
            foreach (var (derived, name) in provider.GeneratedTypes())
            {
                if (derived.IsSubclassOf(type)) Check(derived, stateType, $"{path}<{name}>");
            }

            return;
        }

        var definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        if (Dictionaries.Contains(definition) && !IsKey(type.GetGenericArguments()[0]))
            throw Refuse(type, stateType, path, "the log's format has no dictionaries with keys of that type; use numbers, strings, enums, dates or GUIDs.");
        if (!Dictionaries.Contains(definition) && !Collections.Contains(definition) && !IsTuple(definition))
            throw Refuse(type, stateType, path, Reason(type));
        foreach (var argument in type.GetGenericArguments()) Check(argument, stateType, path);
    }

    private static bool IsKey(Type type) => type.IsEnum || (Values.Contains(type) && type != typeof(byte[]));

    private static bool IsTuple(Type type) =>
        type.IsGenericTypeDefinition && type.GetInterface(nameof(System.Runtime.CompilerServices.ITuple)) is not null && type.GetGenericArguments().Length <= 7;

    private static string Reason(Type type) => type switch
    {
        _ when type == typeof(object) || type.IsInterface => "what it holds is known only when running, and the log must be readable after a restart.",
        _ when type.IsAssignableTo(typeof(Exception)) => "exceptions can't be stored.",
        _ when type.IsAssignableTo(typeof(Delegate)) => "it is a delegate.",
        _ => "mark it [GenerateSerializer].",
    };

    private static CodecNotFoundException Refuse(Type type, Type stateType, string path, string reason) => type == stateType
        ? new(type, reason)
        : new(stateType, $"its member {path} is of type {type}: {reason}");

    private sealed class MemberChecker(StateTypeValidator validator, Type stateType, string path) : IMemberVisitor
    {
        public void Visit<TMember>(string name, Func<object, TMember> get, Action<object, TMember> set) =>
            validator.Check(typeof(TMember), stateType, $"{path}.{name}");
    }
}
