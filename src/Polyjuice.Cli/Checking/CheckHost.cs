using Polyjuice.Simulation.Runs;

namespace Polyjuice.Cli.Checking;

/// <summary>What runs the transactions of a check.</summary>
internal sealed record CheckHost(string Name, string Summary, RunExecution Execute)
{
    /// <summary>The engine with synthetic grains: fast, and it sees the most.</summary>
    public static CheckHost Engine { get; } = new("engine", "the engine with synthetic grains", Simulator.Run);

    /// <summary>Real grain classes on simulated silos: the host is checked with the engine.</summary>
    public static CheckHost Grains { get; } = new("grains", "real grains on simulated silos: listappend and smallbank", GrainSimulator.Run);

    /// <summary>All.</summary>
    public static IReadOnlyList<CheckHost> All { get; } = [Engine, Grains];

    /// <summary>The one of that name.</summary>
    /// <exception cref="ArgumentException">There is none; the message lists those that are.</exception>
    public static CheckHost Find(string name) =>
        All.FirstOrDefault(host => string.Equals(host.Name, name, StringComparison.OrdinalIgnoreCase))
        ?? throw new ArgumentException($"--host: there is no host \"{name}\". Valid: {string.Join(", ", All.Select(host => host.Name))}.");
}
