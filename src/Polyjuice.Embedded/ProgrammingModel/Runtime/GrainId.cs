namespace Orleans.Runtime;

/// <summary>A grain's identity.</summary>
/// <param name="Type">The grain type's name.</param>
/// <param name="Key">The key within the type.</param>
public readonly record struct GrainId(string Type, string Key)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Type}/{Key}";
}
