namespace Orleans;

/// <summary>Promises that nobody changes a value after it was passed or stored, so that it is never copied.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Parameter | AttributeTargets.Property | AttributeTargets.Field)]
public sealed class ImmutableAttribute : Attribute;
