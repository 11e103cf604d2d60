namespace Polyjuice.Contracts;

/// <summary>What became of a call, as its caller knows it.</summary>
public enum CallOutcome
{
    /// <summary>Committed.</summary>
    Committed,

    /// <summary>
    /// The application has thrown an exception of its own ("insufficient
    /// funds"): rightly without effect, and no fault of the system.
    /// </summary>
    Refused,

    /// <summary>The system gave up after its retries: without effect.</summary>
    GivenUp,

    /// <summary>Nobody said whether it took effect.</summary>
    InDoubt,
}
