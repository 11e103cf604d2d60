using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Events;

/// <summary>What an event is about; part of the digest that proves two runs equal.</summary>
internal enum EventKind : byte
{
    /// <summary>A continuation comes back to a process's turn.</summary>
    Turn,

    /// <summary>A timer is due.</summary>
    Timer,

    /// <summary>
    /// A process sends and appends what has accumulated. Flushes come after everything else of their instant.
    /// </summary>
    Flush,

    /// <summary>A message arrives.</summary>
    Message,

    /// <summary>An append reaches the storage.</summary>
    AppendEffect,

    /// <summary>Whoever asked for an append hears of it.</summary>
    AppendAnswer,

    /// <summary>A log is read.</summary>
    LogRead,

    /// <summary>Membership or the directory of owners changes, or somebody learns that it has.</summary>
    Directory,

    /// <summary>Something goes wrong, or comes right again.</summary>
    Fault,

    /// <summary>A client acts.</summary>
    Client,
}
