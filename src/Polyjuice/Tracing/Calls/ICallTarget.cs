using Polyjuice.Contracts;

namespace Polyjuice.Tracing;

/// <summary>
/// A cluster on which recorded calls can be made again: the application's own grains, under a host that encodes
/// arguments as the recorded one did. Thread-safe.
/// </summary>
internal interface ICallTarget
{
    /// <summary>How it has arguments encoded; a trace of another encoding can't be replayed on it.</summary>
    string ArgumentEncoding { get; }

    /// <summary>What the cluster's engines have counted so far; <see langword="null"/> if nobody here knows.</summary>
    EngineStatistics? Statistics => null;

    /// <summary>Finds a recorded method among the target's grains. Slow; keep the result.</summary>
    /// <param name="method">As it was recorded.</param>
    /// <exception cref="CallUnknownException">There is no such grain type, interface or method here.</exception>
    ICallableMethod Find(TracedMethod method);
}

/// <summary>A method whose recorded calls can be made again. Thread-safe.</summary>
internal interface ICallableMethod
{
    /// <summary>Reads a recorded call's arguments.</summary>
    /// <param name="grainKey">The grain's key.</param>
    /// <param name="arguments">In the target's encoding; not needed any more when this returns.</param>
    /// <returns>
    /// Makes the call; more than once if it is called more than once, one after
    /// the other. It throws nothing that the call throws: that is its end.
    /// </returns>
    /// <exception cref="CallUnknownException">They can't be read, or the key is none of such a grain.</exception>
    Func<Task<CallEnd>> Prepare(string grainKey, ReadOnlyMemory<byte> arguments);
}

/// <summary>A recorded call can't be made here.</summary>
/// <param name="message">Why, in a sentence without the method's name.</param>
/// <param name="innerException">The cause, if there is one.</param>
internal sealed class CallUnknownException(
    string message, Exception? innerException = null) : Exception(message, innerException);

/// <summary>How a call has ended.</summary>
/// <param name="Outcome">What became of it.</param>
/// <param name="Reason">
/// Why it did not commit: an <see cref="AbortReason"/>, or the class of an exception. Empty if it did.
/// </param>
/// <param name="MayRepeat">
/// Whether the same call may succeed when it is made again, and has certainly had no effect.
/// </param>
internal readonly record struct CallEnd(CallOutcome Outcome, string Reason = "", bool MayRepeat = false);
