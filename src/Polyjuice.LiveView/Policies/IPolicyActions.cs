using Polyjuice.Policies;

namespace Polyjuice.LiveView.Policies;

/// <summary>
/// The history of policies, and what the live view may do about it. By default that of what the process follows, and of
/// this process alone if it follows nothing; an application that has policies from elsewhere registers its own before
/// <c>AddPolyjuiceLiveView</c>. Thread-safe.
/// </summary>
internal interface IPolicyActions
{
    /// <summary>The policies that were in force, the oldest first; the last one is.</summary>
    /// <param name="cancellationToken">The viewer has gone.</param>
    ValueTask<IReadOnlyList<PolicyVersion>> GetHistoryAsync(CancellationToken cancellationToken);

    /// <summary>
    /// The policy that this process runs under, whose waits are the
    /// ones to be seen here. By default the last one of the history.
    /// </summary>
    /// <param name="cancellationToken">The viewer has gone.</param>
    /// <returns>With a note if it is not the one in force: that has not come here, or was taken back here.</returns>
    async ValueTask<PolicyRunning> GetRunningAsync(CancellationToken cancellationToken) =>
        new((await GetHistoryAsync(cancellationToken).ConfigureAwait(false))[^1], "");

    /// <summary>Puts an earlier policy in force again, as a new version. When it throws, nothing has changed.</summary>
    /// <param name="rollback">To which one, and why.</param>
    /// <param name="cancellationToken">The viewer has gone.</param>
    /// <returns>The new version.</returns>
    /// <exception cref="PolicyActionException">It is refused; the message says why.</exception>
    ValueTask<PolicyVersion> RollBackAsync(PolicyRollback rollback, CancellationToken cancellationToken);
}

/// <summary>A policy that is, or was, in force.</summary>
/// <param name="Number">Higher for later ones.</param>
/// <param name="Name">The policy's name.</param>
/// <param name="Since">When it came into force, or was seen to be; <see langword="null"/> if nobody knows.</param>
/// <param name="Note">Why, and by whom, if somebody said so; otherwise empty.</param>
/// <param name="Policy">The policy.</param>
internal sealed record PolicyVersion(
    long Number, string Name, DateTimeOffset? Since, string Note, IPolicyCompiler Policy);

/// <summary>What one process runs under.</summary>
/// <param name="Version">Its version.</param>
/// <param name="Note">Why it is not the one in force; empty if it is.</param>
internal sealed record PolicyRunning(PolicyVersion Version, string Note);

/// <summary>What somebody wants to be done.</summary>
/// <param name="To">The version whose policy is to be in force again.</param>
/// <param name="From">The version that is in force, as far as they know: when another one is, it is refused.</param>
/// <param name="Reason">Why, in their words.</param>
/// <param name="By">Who they are.</param>
internal sealed record PolicyRollback(long To, long From, string Reason, string By);

/// <summary>An action was refused, and nothing has changed.</summary>
/// <param name="message">Why, and what to do.</param>
internal sealed class PolicyActionException(string message) : Exception(message);
