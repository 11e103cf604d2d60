using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Tests.Publishing.Following;

/// <summary>By the policy in force.</summary>
/// <param name="Rate">Commits a second.</param>
/// <param name="Aborts">Aborted attempts for each.</param>
/// <param name="Open">Transactions open at a time.</param>
internal readonly record struct LoadFigure(double Rate, double Aborts, double Open);

/// <summary>Counters of an engine that does not exist.</summary>
internal sealed class MadeUpLoad(EventLoop loop, PolicyStore policies, Func<string, LoadFigure> load)
{
    private readonly EngineStatistics _statistics = new();
    private readonly SimulationRandom _noise = new(1);
    private long _at;

    public EngineStatistics Read()
    {
        var (rate, aborts, open) = load(policies.Current.Name);
        var microseconds = loop.Now - _at;
        _at = loop.Now;

        // A tenth up or down, as real seconds are.
        var commits = rate * microseconds / 1e6 * (0.9 + (0.2 * _noise.NextDouble()));
        _statistics.Commits += (long)commits;
        _statistics.AbortsByReason[(int)AbortReason.Validation] += (long)(commits * aborts);
        _statistics.OpenMicroseconds += (long)(open * microseconds);
        return _statistics;
    }
}
