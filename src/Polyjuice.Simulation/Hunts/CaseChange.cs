using Polyjuice.Simulation.Coverage;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Hunts;

/// <summary>Changes a case in one place or a few: a stream of random numbers, an aim, a kind of fault.</summary>
/// <param name="random">A stream of its own.</param>
/// <param name="faults">What may go wrong at all.</param>
internal sealed class CaseChange(SimulationRandom random, FaultKinds faults)
{
    private const int AimsMax = 20;
    private const double OneMoreChange = 0.4;

    // Printed with a failure, so short.
    private const int SeedsOfStreams = 1_000_000;

    /// <summary>A changed case.</summary>
    /// <param name="run">Which.</param>
    /// <param name="other">Another, whose aims it may take over.</param>
    /// <param name="rare">A state that it has reached and few others have: a fault may be aimed at the step where
    /// that was.</param>
    public RunCase Of(RunCase run, RunCase other, Feature rare)
    {
        do
        {
            run = random.Next(8) switch
            {
                0 or 1 when rare.Nth > 0 => With(run, RandomAims.At(random, faults, rare.Step, rare.Nth)),
                0 or 1 or 2 => WithRandomAim(run),
                3 => WithChangedAim(run),
                4 => run with { Aims = [.. run.Aims.Concat(other.Aims).Distinct().Take(AimsMax)] },
                5 when random.Chance(0.5) => run with
                {
                    Faults = run.Faults ^ (random.Pick(FaultLedger.Kinds) & faults)
                },
                _ => run with { Streams = Reseeded(run.Streams) },
            };
        }
        while (random.Chance(OneMoreChange));
        return run;
    }

    private static RunCase With(RunCase run, Aim? aim) =>
        aim is { } added && run.Aims.Count < AimsMax ? run with { Aims = [.. run.Aims, added] } : run;

    private RunCase WithRandomAim(RunCase run) => With(run, RandomAims.Draw(random, faults));

    private RunCase WithChangedAim(RunCase run)
    {
        if (run.Aims.Count == 0) return WithRandomAim(run);
        var aims = run.Aims.ToList();
        var at = random.Next(aims.Count);
        var aim = aims[at];
        switch (random.Next(4))
        {
            case 0:
                aims.RemoveAt(at);
                break;
            case 1 when aim.Percent == 0:
                aims[at] = aim with { Nth = Math.Max(1, aim.Nth + (random.Chance(0.5) ? 1 : -1)) };
                break;
            case 2 when aim is { Percent: 0, IsOfStep: true }:
                aims[at] = aim with { Times = Math.Max(1, aim.Times + (random.Chance(0.7) ? 2 : -1)) };
                break;
            default:
                if (RandomAims.At(random, faults, aim.Step, Math.Max(1, aim.Nth)) is { } instead) aims[at] = instead;
                break;
        }

        return run with { Aims = aims };
    }

    private RunStreams Reseeded(RunStreams streams)
    {
        var seed = (ulong)random.Next(SeedsOfStreams);
        return random.Next(5) switch
        {
            0 => streams with { Load = seed },
            1 => streams with { Network = seed },
            2 => streams with { Storage = seed },
            3 => streams with { Faults = seed },
            _ => streams with { Policies = seed },
        };
    }
}
