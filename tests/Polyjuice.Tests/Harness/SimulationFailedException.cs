namespace Polyjuice.Tests.Harness;

/// <summary>A simulated run broke an invariant. The kind names it; a rule's test asserts on the kind.</summary>
internal sealed class SimulationFailedException(string kind, string message, Exception? inner = null) : Exception($"{kind}: {message}", inner)
{
    public string Kind { get; } = kind;
}
