namespace Polyjuice.Contracts;

/// <summary>
/// Turns what the engine knows about an ended transaction into the exception type that the host's users expect, so that
/// code which catches its framework's own exceptions keeps working.
/// </summary>
internal interface IAbortExceptionFactory
{
    /// <summary>The exception that a caller gets (and that an access throws inside a doomed body).</summary>
    /// <param name="abort">What happened.</param>
    /// <param name="inner">The user's own exception when the body threw it, else <see langword="null"/>.</param>
    Exception Create(AbortInfo abort, Exception? inner);

    /// <summary>
    /// Whether a body that threw this was to be aborted, as its application wanted: then the transaction's activity
    /// tells of no error. By default nothing is.
    /// </summary>
    /// <param name="failure">What the body threw.</param>
    bool IsDecline(Exception failure) => false;
}
