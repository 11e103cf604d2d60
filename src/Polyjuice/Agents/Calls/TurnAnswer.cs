namespace Polyjuice.Agents;

/// <summary>What is known of a call that is said to wait for an activation's turn.</summary>
internal enum TurnAnswer
{
    /// <summary>No transaction holds the turn here, or the call runs already.</summary>
    None,

    /// <summary>It waits for transactions that hold the turn.</summary>
    Queued,

    /// <summary>It waits for a call of its own transaction which waits for this one: it never gets the turn.</summary>
    BehindItself,
}
