namespace Polyjuice.Training.Replay;

/// <summary>Which of a trace's transactions are replayed.</summary>
internal enum ReplayPart
{
    /// <summary>All of them.</summary>
    All,

    /// <summary>
    /// The earlier seven tenths or so, which tables are searched on: whole windows, if one begins about there.
    /// </summary>
    Training,

    /// <summary>The rest, which a found table is judged on.</summary>
    HeldOut,
}
