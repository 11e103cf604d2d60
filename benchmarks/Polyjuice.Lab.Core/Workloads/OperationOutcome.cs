namespace Polyjuice.Lab.Workloads;

/// <summary>What became of one operation, as its client knows it.</summary>
public enum OperationOutcome
{
    /// <summary>Acknowledged: it took effect.</summary>
    Committed,

    /// <summary>
    /// The application itself refused ("insufficient funds"): rightly without effect, and no fault of the system.
    /// </summary>
    Declined,

    /// <summary>The system gave up after its retries: without effect.</summary>
    Aborted,

    /// <summary>
    /// The silo had as many as it could take, and nothing of it has run: its client comes back after a pause.
    /// </summary>
    Overloaded,

    /// <summary>Nobody said whether it took effect.</summary>
    InDoubt,
}
