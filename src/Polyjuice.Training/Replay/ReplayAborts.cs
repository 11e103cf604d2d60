using Polyjuice.Contracts;

namespace Polyjuice.Training.Replay;

/// <summary>An attempt that has ended without committing, as a replayed body sees it.</summary>
internal sealed class ReplayAbortedException(
    AbortInfo abort, Exception? inner) : Exception(abort.Reason.ToString(), inner)
{
    public AbortInfo Abort { get; } = abort;
}

/// <summary>What a replayed body throws at its end where the recorded one did.</summary>
internal sealed class ReplayRefusedException() : Exception("The recorded transaction was refused by its application.");

/// <inheritdoc/>
internal sealed class ReplayAbortFactory : IAbortExceptionFactory
{
    public static readonly ReplayAbortFactory Shared = new();

    public Exception Create(AbortInfo abort, Exception? inner) => new ReplayAbortedException(abort, inner);
}
