namespace Polyjuice.Orleans.States;

/// <summary>
/// Which functions an access takes: those that are over when they return. After that the state that they were given is
/// nobody's, and what they still change is lost.
/// </summary>
/// <typeparam name="TResult">What the function returns.</typeparam>
internal static class SynchronousFunction<TResult>
{
    private static readonly bool s_isAsynchronous = typeof(Task).IsAssignableFrom(typeof(TResult))
        || typeof(TResult) == typeof(ValueTask)
            || (typeof(TResult).IsGenericType && typeof(TResult).GetGenericTypeDefinition() == typeof(ValueTask<>));

    /// <summary>Refuses others, before they have run.</summary>
    /// <exception cref="ArgumentException">The function is asynchronous.</exception>
    public static void Require(string method, string parameter)
    {
        if (!s_isAsynchronous) return;
        throw new ArgumentException(
            $"The function given to {method} is asynchronous: what it did after its first await would not be part of "
            + $"the access. Await first, in the grain's method, and give {method} a function that uses what "
            + "came of it.",
            parameter);
    }
}
