namespace Polyjuice.Policies;

/// <summary>What a row of the policy's table has an access do.</summary>
internal enum SiteAction
{
    /// <summary>It began to wait for another transaction.</summary>
    Wait,

    /// <summary>Such a wait ended because it was part of a cycle, and its transaction was the one to lose.</summary>
    WaitDeadlock,

    /// <summary>Such a wait ended because its time was up.</summary>
    WaitTimeout,

    /// <summary>It read, or built upon, a version that was not sealed.</summary>
    DirtyRead,

    /// <summary>It exposed what its transaction had written so far, before the commit.</summary>
    Exposure,

    /// <summary>It validated what its transaction had done so far.</summary>
    EarlyValidation,

    /// <summary>Such a validation failed.</summary>
    EarlyValidationFailure,
}
