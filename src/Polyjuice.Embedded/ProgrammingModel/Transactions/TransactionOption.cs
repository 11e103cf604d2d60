namespace Orleans;

/// <summary>How a grain method relates to the transaction that it is called in.</summary>
public enum TransactionOption
{
    /// <summary>Runs without the caller's transaction.</summary>
    Suppress,

    /// <summary>Joins the caller's transaction, or starts one.</summary>
    CreateOrJoin,

    /// <summary>Always starts a transaction of its own.</summary>
    Create,

    /// <summary>Joins the caller's transaction; refused without one.</summary>
    Join,

    /// <summary>Runs in the caller's transaction if there is one.</summary>
    Supported,

    /// <summary>Refused inside a transaction.</summary>
    NotAllowed,
}
