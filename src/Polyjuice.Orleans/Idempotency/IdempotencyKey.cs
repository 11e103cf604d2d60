using Polyjuice.Orleans.Idempotency;
using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans;

/// <summary>
/// Names a call that starts a transaction, so that it has its effect once however often it is made: a call with the
/// same key to the same grain gets the first one's answer. Thread-safe.
/// </summary>
/// <remarks>
/// <para>
/// What counts is the first call that commits. It records its key and its answer in its own transaction; one that fails
/// records nothing, and runs again when it is repeated. Records are kept for
/// <see cref="global::Orleans.Configuration.PolyjuiceOptions.IdempotencyRetention"/>.
/// </para>
/// <para>
/// The key is a part of Orleans' request context. So a method that is no transaction passes it on to what it calls; a
/// transaction takes it, and does not pass it on. Calls that start no transaction, and those of <c>[ReadOnly]</c>
/// methods, run as if there were no key.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using (IdempotencyKey.Use("order-4711")) receipt = await grains.GetGrain&lt;IAccount&gt;("ada").Pay(100);
/// </code>
/// </example>
public static class IdempotencyKey
{
    /// <summary>A key's length at the most, in characters.</summary>
    public const int LengthMax = 256;

    /// <summary>The key's place in the request context.</summary>
    internal const string Key = "#polyjuice.key";

    /// <summary>The ambient key, or <see langword="null"/>.</summary>
    public static string? Current => RequestContext.Get(Key) as string;

    /// <summary>Makes a key ambient, in this asynchronous flow, until the result is disposed of.</summary>
    /// <param name="key">1 to <see cref="LengthMax"/> characters, not all of them white space.</param>
    /// <returns>Puts back what was ambient before.</returns>
    /// <exception cref="ArgumentException">The key is empty, white space or too long.</exception>
    public static IDisposable Use(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (ProblemOf(key) is { } problem) throw new ArgumentException(problem, nameof(key));
        var scope = new KeyScope(Current);
        RequestContext.Set(Key, key);
        return scope;
    }

    /// <summary>What is wrong with a key, if anything.</summary>
    internal static string? ProblemOf(string key) =>
        string.IsNullOrWhiteSpace(key) ? "An idempotency key can't be empty or white space."
        : key.Length > LengthMax ? $"An idempotency key has at most {LengthMax} characters; this one has {key.Length}."
        : null;
}
