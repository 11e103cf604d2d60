using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Calls;

/// <summary>What a call takes along in its request context for the silo that receives it.</summary>
internal static class CallContext
{
    /// <summary>
    /// What the call that is being received has taken along under a key, if anything. It is this call's alone: calls
    /// that its code makes have their own.
    /// </summary>
    public static object? Take(string key)
    {
        if (RequestContext.Get(key) is not { } value) return null;
        RequestContext.Remove(key);
        return value;
    }
}
