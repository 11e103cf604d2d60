using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Hunts;

/// <summary>
/// Cases that follow from no earlier one. Two of five are a family's own; the others have aims, and a random half of
/// the faults that strike at any time, or none of them (swarm testing: Groce et al., ISSTA 2012).
/// Half of the families are drawn evenly, half by how many new states their runs have reached of late.
/// </summary>
internal sealed class FreshCases(
    RunCase common, ulong start, IReadOnlyList<string> shapes, string? suits, SimulationRandom random)
{
    /// <summary>Of what was learned, each run leaves so much.</summary>
    private const double Kept = 0.98;

    /// <summary>Rare conjunctions want many aims: of two that must meet, each is there in few runs.</summary>
    private const double OneMoreAim = 0.9;
    private const int AimsMax = 16;

    /// <summary>Some rules show only where nothing goes wrong.</summary>
    private const double OwnShare = 0.4;

    private readonly double[] _found = new double[shapes.Count];
    private readonly double[] _runs = new double[shapes.Count];
    private ulong _seed = start;

    public RunCase Next()
    {
        var run = common with
        {
            Seed = _seed++,
            Shape = suits is not null && random.Chance(0.5) ? suits : shapes[Draw()],
            Streams = default,
            Aims = []
        };
        if (random.Chance(OwnShare)) return run;
        var aims = 1;
        while (aims < AimsMax && random.Chance(OneMoreAim)) aims++;
        return run with
        {
            Faults = random.Next(3) == 0 ? FaultKinds.None : HalfOf(run.Faults),
            Aims = [.. RandomAims.Draw(random, common.Faults, aims)],
        };
    }

    /// <summary>A run of a family has reached so many states that none had before.</summary>
    public void Learn(string shape, int news)
    {
        for (var i = 0; i < shapes.Count; i++)
        {
            _found[i] *= Kept;
            _runs[i] *= Kept;
            if (shapes[i] != shape) continue;
            _found[i] += news;
            _runs[i]++;
        }
    }

    private int Draw()
    {
        if (shapes.Count == 1) return 0;
        if (random.Chance(0.5)) return random.Next(shapes.Count);
        var total = 0.0;
        for (var i = 0; i < shapes.Count; i++) total += RateOf(i);
        var at = random.NextDouble() * total;
        for (var i = 0; i < shapes.Count; i++)
        {
            at -= RateOf(i);
            if (at < 0) return i;
        }

        return shapes.Count - 1;
    }

    private double RateOf(int shape) => (_found[shape] + 1) / (_runs[shape] + 1);

    private FaultKinds HalfOf(FaultKinds faults)
    {
        foreach (var kind in FaultLedger.Kinds)
        {
            if (random.Chance(0.5)) faults &= ~kind;
        }

        return faults;
    }
}
