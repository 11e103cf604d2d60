using Polyjuice.Embedded.Core;

namespace Orleans.Runtime;

/// <summary>
/// Values that go down with calls, from the code that set them to the grains that it calls and on; never back up. A value's
/// type needs a codec. As with all ambient values, what an <see langword="async"/> method sets is gone when it has returned.
/// </summary>
public static class RequestContext
{
    /// <summary>The keys that are set.</summary>
    public static IEnumerable<string> Keys => CallContext.Current?.Values?.Keys ?? Enumerable.Empty<string>();

    /// <summary>The value of a key, or <see langword="null"/>.</summary>
    public static object? Get(string key) =>
        CallContext.Current?.Values is { } values && values.TryGetValue(key, out var value) ? value : null;

    /// <summary>Sets a key for the calls that are made from here on.</summary>
    public static void Set(string key, object value)
    {
        ArgumentNullException.ThrowIfNull(key);
        // Copy on write: the dictionary is shared by every call that was given it.
        var old = CallContext.Current?.Values;
        var values = old is null ? new Dictionary<string, object?>(1) : new Dictionary<string, object?>(old);
        values[key] = value;
        CallContext.Current = CallContext.With(CallContext.Current, values);
    }

    /// <summary>Removes a key for the calls that are made from here on.</summary>
    /// <returns>Whether it was set.</returns>
    public static bool Remove(string key)
    {
        if (CallContext.Current?.Values is not { } old || !old.ContainsKey(key)) return false;
        var values = new Dictionary<string, object?>(old);
        values.Remove(key);
        CallContext.Current = CallContext.With(CallContext.Current, values.Count == 0 ? null : values);
        return true;
    }

    /// <summary>Removes all keys for the calls that are made from here on.</summary>
    public static void Clear()
    {
        if (CallContext.Current?.Values is not null) CallContext.Current = CallContext.With(CallContext.Current, null);
    }
}
