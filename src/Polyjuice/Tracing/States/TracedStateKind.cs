namespace Polyjuice.Tracing;

/// <summary>
/// What a trace knows of a state at a window's begin. Part of the file format: numbers never change meaning.
/// </summary>
internal enum TracedStateKind : byte
{
    /// <summary>All of it.</summary>
    Whole = 1,

    /// <summary>That there was one: it was larger than <see cref="TraceRecorderOptions.StateBytesMax"/>.</summary>
    TooLarge = 2,

    /// <summary>That there was one: its codec has refused it.</summary>
    NotEncodable = 3,

    /// <summary>That there was none yet: it was never written.</summary>
    Initial = 4,

    /// <summary>
    /// That there was one: it was forgotten before it could be recorded, or undecided until the file's end.
    /// </summary>
    Forgotten = 5,
}
