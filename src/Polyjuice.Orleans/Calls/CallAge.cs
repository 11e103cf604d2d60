using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Since when a transaction is wanted, where that is earlier than its call arrives: it takes this along in its request
/// context. A call that is made again is as old as the first time it was made, and a transaction that another one waits
/// for as old as that one.
/// </summary>
/// <remarks>
/// Whoever calls says so, by its own clock. So it decides the order in which transactions begin and nothing else.
/// </remarks>
internal static class CallAge
{
    /// <summary>The key in the request context.</summary>
    public const string Key = "#polyjuice.since";

    /// <summary>Microseconds since 1970, by this process's clock.</summary>
    public static long Now => (DateTime.UtcNow - DateTime.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;

    /// <summary>Calls that are made from here on, in this asynchronous flow, are that old.</summary>
    /// <param name="since">Microseconds since 1970.</param>
    public static void Carry(long since) => RequestContext.Set(Key, since);

    /// <summary>Since when the call that is being received is wanted; 0 if it does not say.</summary>
    public static long Take() => CallContext.Take(Key) is long since ? since : 0;
}
