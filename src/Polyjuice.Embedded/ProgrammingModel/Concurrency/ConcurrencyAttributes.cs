namespace Orleans.Concurrency;

/// <summary>Lets the turns of different requests to one activation of the class interleave at awaits.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class ReentrantAttribute : Attribute;

/// <summary>Lets a method's requests interleave with any other request to the activation.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class AlwaysInterleaveAttribute : Attribute;

/// <summary>Promises that the method changes nothing: its requests interleave with each other, and as a transaction it is declared read-only.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ReadOnlyAttribute : Attribute;

/// <summary>The caller gets no answer, and its task completes at once.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class OneWayAttribute : Attribute;

/// <summary>Accepted for source compatibility; the order of delivery is the same with and without it.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class UnorderedAttribute : Attribute;

/// <summary>Lets requests interleave when a predicate says so.</summary>
/// <param name="callbackMethodName">A static method of the class that takes the called method's name and returns <see cref="bool"/>.</param>
[AttributeUsage(AttributeTargets.Class)]
public sealed class MayInterleaveAttribute(string callbackMethodName) : Attribute
{
    /// <summary>The predicate's name.</summary>
    public string CallbackMethodName { get; } = callbackMethodName;
}
