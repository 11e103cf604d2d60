namespace Orleans;

/// <summary>The name under which a type or a grain interface's method is known outside the code, so that it may be renamed.</summary>
/// <param name="alias">The name, unique among types (or among the methods of an interface).</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface | AttributeTargets.Enum | AttributeTargets.Method, Inherited = false)]
public sealed class AliasAttribute(string alias) : Attribute
{
    /// <summary>The name.</summary>
    public string Alias { get; } = alias;
}
