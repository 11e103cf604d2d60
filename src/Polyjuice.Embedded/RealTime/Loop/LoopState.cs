namespace Polyjuice.Embedded.RealTime;

/// <summary>What a loop is about.</summary>
internal enum LoopState
{
    /// <summary>Takes work, and does none yet.</summary>
    NotStarted,

    /// <summary>Has nothing to do before the next timer.</summary>
    Idle,

    /// <summary>Has something to do, and waits for a worker.</summary>
    Ready,

    /// <summary>A worker runs it.</summary>
    Running,

    /// <summary>Was stopped, and never runs again.</summary>
    Ended,
}
