namespace Polyjuice.Tracing;

/// <summary>
/// What a trace knows of the call that a transaction began with. Part of the file format: numbers never change meaning.
/// </summary>
internal enum TracedCallState : byte
{
    /// <summary>Nothing: calls were not recorded.</summary>
    NotRecorded = 0,

    /// <summary>All of it, so it can be made again.</summary>
    Whole = 1,

    /// <summary>
    /// Without its arguments: they were larger than <see cref="TraceRecorderOptions.ArgumentBytesMax"/>.
    /// </summary>
    TooLarge = 2,

    /// <summary>Without its arguments: the host's serializer has refused them.</summary>
    NotEncodable = 3,

    /// <summary>
    /// It was no call: code that a client runs in a transaction, or an attempt
    /// that the grain's move has ended and that was made, and recorded, elsewhere.
    /// </summary>
    NoCall = 4,
}
