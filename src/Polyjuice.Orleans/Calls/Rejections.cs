using Orleans.Runtime;

namespace Polyjuice.Orleans.Calls;

/// <summary>What Orleans' rejection of a call says of whether the call has run.</summary>
internal static class Rejections
{
    /// <summary>
    /// Whether the call can't have run. A <see cref="SiloUnavailableException"/> may have been thrown because a silo
    /// died with the call, but not the one of a silo that is stopping and places no more calls: Orleans' only sign of
    /// that is its message.
    /// </summary>
    public static bool HasNotRun(OrleansMessageRejectionException exception) =>
        exception is not SiloUnavailableException
        || (exception.Message.StartsWith("Silo '", StringComparison.Ordinal)
            && exception.Message.EndsWith("' is shutting down.", StringComparison.Ordinal));
}
