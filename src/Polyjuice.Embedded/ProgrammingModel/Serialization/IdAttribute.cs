namespace Orleans;

/// <summary>Has a field or property carried by its type's codec.</summary>
/// <param name="id">The member's number, unique among the members that its type itself declares.</param>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public sealed class IdAttribute(uint id) : Attribute
{
    /// <summary>The member's number.</summary>
    public uint Id { get; } = id;
}
