namespace Polyjuice.Simulation.Events;

/// <summary>A simulated run broke an invariant.</summary>
/// <param name="kind">Which invariant, in a word; a rule's test asserts on it.</param>
/// <param name="message">What was seen.</param>
/// <param name="inner">What it was found by.</param>
internal sealed class SimulationFailedException(
    string kind, string message, Exception? inner = null) : Exception($"{kind}: {message}", inner)
{
    /// <summary>Which invariant, in a word.</summary>
    public string Kind { get; } = kind;

    /// <summary>How much had gone wrong by then.</summary>
    public long FaultsInjected { get; init; }

    /// <summary>What happened until then, line by line, if the run kept a trace.</summary>
    public IReadOnlyList<string> Trace { get; init; } = [];
}
