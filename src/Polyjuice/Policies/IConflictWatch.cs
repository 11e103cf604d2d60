using Polyjuice.Contracts;

namespace Polyjuice.Policies;

/// <summary>Where one engine's transactions meet each other, for whoever asks. Thread-safe.</summary>
internal interface IConflictWatch
{
    /// <summary>The engine's node.</summary>
    NodeId Node { get; }

    /// <summary>What was published last; <see langword="null"/> while nobody asks.</summary>
    ConflictReport? Latest { get; }

    /// <summary>Asks for reports, for the next ten seconds in which the engine does something.</summary>
    void Ask();
}
