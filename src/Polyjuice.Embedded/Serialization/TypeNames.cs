using System.Collections.Concurrent;

namespace Polyjuice.Embedded.Serialization;

/// <summary>
/// Types by name, both ways: "Bank.Money", "System.Int32[]", "Bank.Box`1&lt;System.Int32&gt;". Only types that were added, or written
/// by this process before, can be read, so a message can't make the process load whatever it names. Thread-safe.
/// </summary>
internal sealed class TypeNames
{
    private readonly ConcurrentDictionary<Type, string> _names = new();
    private readonly ConcurrentDictionary<string, Type> _types = new(StringComparer.Ordinal);

    /// <summary>Adds a type under its alias or full name. Two types with one name are a mistake in the program.</summary>
    public void Add(Type type, string? alias)
    {
        var name = alias ?? type.FullName ?? type.Name;
        if (_types.GetOrAdd(name, type) != type)
            throw new InvalidOperationException($"The types {type} and {_types[name]} have the same name '{name}' in messages; give one of them another [Alias].");
        _names.TryAdd(type, name);
    }

    /// <summary>A type's name.</summary>
    public string NameOf(Type type)
    {
        if (_names.TryGetValue(type, out var known)) return known;
        var name = Compose(type);
        _types.TryAdd(name, type);
        return _names.GetOrAdd(type, name);
    }

    /// <summary>The type of a name. Throws <see cref="WireFormatException"/> when nobody added it.</summary>
    public Type TypeOf(string name)
    {
        if (_types.TryGetValue(name, out var known)) return known;
        var at = 0;
        var type = Parse(name, ref at);
        return at == name.Length ? type : throw Unknown(name);
    }

    private string Compose(Type type)
    {
        if (type.IsSZArray) return NameOf(type.GetElementType()!) + "[]";
        if (type is { IsGenericType: true, IsGenericTypeDefinition: false })
            return $"{NameOf(type.GetGenericTypeDefinition())}<{string.Join(',', type.GetGenericArguments().Select(NameOf))}>";
        return type.FullName ?? type.Name;
    }

    private Type Parse(string name, ref int at)
    {
        var end = name.AsSpan(at).IndexOfAny("<>,[");
        end = end < 0 ? name.Length : at + end;
        if (!_types.TryGetValue(name[at..end], out var type)) throw Unknown(name);
        at = end;
        if (At(name, at) == '<')
        {
            if (!type.IsGenericTypeDefinition) throw Unknown(name);
            var arguments = new Type[type.GetGenericArguments().Length];
            for (var i = 0; i < arguments.Length; i++)
            {
                at++;
                arguments[i] = Parse(name, ref at);
                if (At(name, at) != (i < arguments.Length - 1 ? ',' : '>')) throw Unknown(name);
            }

            at++;
            type = Construct(type, arguments, name);
        }

        for (; At(name, at) == '['; at += 2)
        {
            if (At(name, at + 1) != ']') throw Unknown(name);
            type = type.MakeArrayType();
        }

        return type;
    }

    private static Type Construct(Type type, Type[] arguments, string name)
    {
        try
        {
            return type.MakeGenericType(arguments);
        }
        catch (ArgumentException)
        {
            throw Unknown(name);
        }
    }

    private static char At(string name, int at) => at < name.Length ? name[at] : '\0';

    private static WireFormatException Unknown(string name) => new($"A message names the type '{name}', which no assembly of this host registered.");
}
