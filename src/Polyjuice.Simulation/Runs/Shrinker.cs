using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Simulation.Runs;

/// <summary>
/// Makes a failing case smaller while it fails in the same way: fewer transactions, clients, faults, silos, grains.
/// Another size is another run, so the same failure may need another seed: a few are tried.
/// </summary>
internal sealed class Shrinker
{
    private const int SeedsTried = 12;

    private readonly Func<bool> _mayGoOn;
    private readonly string _kind;
    private readonly RunExecution _execute;

    /// <summary>Creates it.</summary>
    /// <param name="kind">The failure that must stay.</param>
    /// <param name="mayGoOn">Asked before each run; ends the search.</param>
    /// <param name="execute">Runs a case; on the engine alone if not given.</param>
    public Shrinker(string kind, Func<bool> mayGoOn, RunExecution? execute = null)
    {
        _execute = execute ?? Simulator.Run;
        _kind = kind;
        _mayGoOn = mayGoOn;
    }

    /// <summary>Runs that the search took.</summary>
    public int Runs { get; private set; }

    /// <summary>
    /// The smallest case found that fails; the given one, with all sizes spelled out, if none is smaller.
    /// </summary>
    public RunCase Shrink(RunCase failing)
    {
        var best = Pin(failing);
        for (var smaller = true; smaller;)
        {
            smaller = false;
            foreach (var candidate in Candidates(best))
            {
                if (!_mayGoOn()) return best;
                if (Fails(candidate) is not { } found) continue;
                best = found;
                smaller = true;
                break;
            }
        }

        return best;
    }

    /// <summary>The same run, with its sizes named: those that the shape drew.</summary>
    private RunCase Pin(RunCase run)
    {
        var shape = Shapes.Of(run, trace: false);
        var pinned = run with
        {
            Workload = shape.Load.Kind,
            Silos = shape.Cluster.Nodes,
            Partitions = shape.Cluster.Partitions,
            Keys = shape.Cluster.Accounts,
            Clients = shape.Clients == 0 ? null : shape.Clients,
            Transactions = shape.Transactions,
        };
        return TryOne(pinned) is { } failure && run.FaultBudget > failure.FaultsInjected
            ? pinned with { FaultBudget = failure.FaultsInjected }
            : pinned;
    }

    private static IEnumerable<RunCase> Candidates(RunCase run)
    {
        var transactions = run.Transactions!.Value;
        foreach (var fewer in Fewer(transactions, 1))
            yield return run with
            {
                Transactions = fewer, Clients = run.Clients is { } clients ? Math.Min(clients, fewer) : null
            };
        if (run.Clients is { } many)
        {
            foreach (var fewer in Fewer(many, 1)) yield return run with { Clients = fewer };
        }

        if (run.Faults != FaultKinds.None)
            yield return run with { Faults = FaultKinds.None, FaultBudget = long.MaxValue };
        foreach (var aims in Fewer(run.Aims)) yield return run with { Aims = aims };
        if (run.Streams != default) yield return run with { Streams = default };
        foreach (var kind in FaultLedger.Kinds)
        {
            if ((run.Faults & kind) != 0) yield return run with { Faults = run.Faults & ~kind };
        }

        if (run.Faults != FaultKinds.None || run.Aims.Count > 0)
        {
            foreach (var fewer in Fewer(run.FaultBudget, 0)) yield return run with { FaultBudget = fewer };
        }

        foreach (var fewer in Fewer(run.Silos!.Value, 1)) yield return run with { Silos = fewer };
        foreach (var fewer in Fewer(run.Keys!.Value, 1)) yield return run with { Keys = fewer };
        foreach (var fewer in Fewer(run.Partitions!.Value, 1)) yield return run with { Partitions = fewer };
    }

    private static IEnumerable<long> Fewer(long count, long least)
    {
        var last = count;
        foreach (var fewer in new[] { count / 2, count * 3 / 4, count - 1 })
        {
            if (fewer < least || fewer >= count || fewer == last) continue;
            last = fewer;
            yield return fewer;
        }
    }

    /// <summary>None, half of them, and all but one.</summary>
    private static IEnumerable<IReadOnlyList<Aim>> Fewer(IReadOnlyList<Aim> aims)
    {
        if (aims.Count == 0) yield break;
        yield return [];
        if (aims.Count > 2)
        {
            yield return [.. aims.Take(aims.Count / 2)];
            yield return [.. aims.Skip(aims.Count / 2)];
        }

        for (var i = 0; i < aims.Count && aims.Count > 1; i++) yield return [.. aims.Where((_, at) => at != i)];
    }

    private static IEnumerable<int> Fewer(int count, int least) => Fewer((long)count, least).Select(c => (int)c);

    private RunCase? Fails(RunCase candidate)
    {
        for (var i = 0; i < SeedsTried && _mayGoOn(); i++)
        {
            var other = candidate with
            {
                Seed = i == 0 ? candidate.Seed : (SimulationRandom.Mix(candidate.Seed + (ulong)i) % 1_000_000) + 1
            };
            if (TryOne(other) is { } failure)
                return (other.Faults != FaultKinds.None || other.Aims.Count > 0)
                    && other.FaultBudget > failure.FaultsInjected
                    ? other with { FaultBudget = failure.FaultsInjected }
                    : other;
        }

        return null;
    }

    private SimulationFailedException? TryOne(RunCase run)
    {
        Runs++;
        try
        {
            _execute(run);
            return null;
        }
        catch (SimulationFailedException failure)
        {
            return failure.Kind == _kind ? failure : null;
        }
    }
}
