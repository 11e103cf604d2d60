namespace Orleans;

/// <summary>
/// Has a codec generated for a class, struct, record or enum, so that its values can be arguments, results and states.
/// The members that have an <see cref="IdAttribute"/>, and the primary constructor's parameters of records, are carried.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Enum)]
public sealed class GenerateSerializerAttribute : Attribute
{
    /// <summary>
    /// Whether the primary constructor's parameters are carried without an <see cref="IdAttribute"/>; by default they are for records.
    /// </summary>
    public bool IncludePrimaryConstructorParameters { get; init; }
}
