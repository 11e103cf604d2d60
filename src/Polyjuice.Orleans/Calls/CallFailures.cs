using Orleans.Runtime;
using Orleans.Runtime.Messaging;
using Orleans.Transactions;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// What the exception of a call says of whether the call has run. It is the only place that decides this: who repeats
/// calls, who counts their ends and who replays them ask here.
/// </summary>
internal static class CallFailures
{
    /// <summary>
    /// Whether nothing of the call can have run. What a body has met further down does not look like this: it comes up
    /// as the cause of its transaction's abort.
    /// </summary>
    public static bool HasNotRun(Exception exception) => exception switch
    {
        SiloUnavailableException unavailable => IsOfStoppingSilo(unavailable),
        OrleansMessageRejectionException => true,

        // It never travels: the caller itself had no connection.
        ConnectionFailedException => true,
        _ => IsOverload(exception),
    };

    /// <summary>
    /// Whether the caller's own process has given the call up, for want of a connection. A message that it had written
    /// by then may have arrived.
    /// </summary>
    public static bool IsOfOwnConnection(Exception exception) =>
        exception is ConnectionFailedException
        || (exception is OrleansMessageRejectionException
            && exception.Message.Contains("Client is rejecting message", StringComparison.Ordinal));

    /// <summary>
    /// Whether the call has not run because a silo had too much to do: who makes it again at once adds to that.
    /// </summary>
    public static bool IsOverload(Exception exception) =>
        exception is GatewayTooBusyException
            or OrleansStartTransactionFailedException { InnerException: OrleansTransactionOverloadException };

    // A silo may have died with the call. But one that is stopping places no more calls, and Orleans' only sign of that
    // is its message.
    private static bool IsOfStoppingSilo(SiloUnavailableException exception) =>
        exception.Message.StartsWith("Silo '", StringComparison.Ordinal)
        && exception.Message.EndsWith("' is shutting down.", StringComparison.Ordinal);
}
