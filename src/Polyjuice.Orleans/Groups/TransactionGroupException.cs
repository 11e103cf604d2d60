using Orleans;
using Orleans.Runtime;

namespace Polyjuice.Orleans;

/// <summary>
/// A grain belongs to no group, although its class declares one: its key has no such part, or the function of the
/// declaration threw or gave nothing. The call has not run. It fails each time, until the key or the declaration is
/// another.
/// </summary>
[GenerateSerializer]
public sealed class TransactionGroupException : OrleansException
{
    /// <summary>Says which grain, and why.</summary>
    /// <param name="grain">The grain.</param>
    /// <param name="grainClass">Its class.</param>
    /// <param name="problem">Why, as the end of a sentence.</param>
    /// <param name="inner">What a function threw, if it did.</param>
    internal TransactionGroupException(GrainId grain, Type grainClass, string problem, Exception? inner = null)
        : base(
            $"Grain {grain} has no transaction group, and so no log partition: {problem}. "
            + $"See the declaration of class {grainClass}.",
            inner!)
    {
        ArgumentNullException.ThrowIfNull(grainClass);
    }
}
