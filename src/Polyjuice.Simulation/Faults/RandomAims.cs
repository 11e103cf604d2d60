using System.Numerics;
using Polyjuice.Simulation.Events;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Faults;

/// <summary>Draws aims: at the steps of the commit protocol more often than at others, and early ones more often than
/// late ones.</summary>
internal static class RandomAims
{
    private const int NthMax = 24;
    private const int TimesMax = 8;

    private static readonly int[] PercentsOfSteps = [5, 20, 50, 100];

    // Silos die of a few, and then nothing goes on.
    private static readonly int[] PercentsOfSilos = [2, 6, 20];

    private static readonly ProtocolStep[] Commit =
    [
        .. new[]
        {
            MessageKind.Prepare, MessageKind.PrepareReply, MessageKind.AbortRequest, MessageKind.Query,
            MessageKind.Outcome, MessageKind.AgentOutcome, MessageKind.Vote, MessageKind.Acknowledge,
            MessageKind.DependencyQuery, MessageKind.DependencyAnswer, MessageKind.VoteQuery,
        }.Select(ProtocolStep.Of),
    ];

    private static readonly ProtocolStep[] Records = [.. ProtocolStep.All.Where(step => step.IsRecord)];

    /// <summary>So many, with these faults.</summary>
    public static IEnumerable<Aim> Draw(SimulationRandom random, FaultKinds faults, int count)
    {
        for (var i = 0; i < count && faults != 0; i++)
        {
            if (Draw(random, faults) is { } aim) yield return aim;
        }
    }

    /// <summary>One, with one of these faults; none where no step can be struck so.</summary>
    public static Aim? Draw(SimulationRandom random, FaultKinds faults)
    {
        var step = random.Pick(random.Next(10) switch { 0 => ProtocolStep.All, < 6 => Commit, _ => Records });
        if (Fault(random, faults, step) is not { } fault) return null;
        var isOfStep = new Aim(fault, step, 1).IsOfStep;

        // Rates more often than numbers: of two faults that must meet in one transaction, each strikes many.
        if (random.Chance(0.7))
            return new Aim(fault, step, 0, 1, random.Pick(isOfStep ? PercentsOfSteps : PercentsOfSilos));
        var nth = 1;
        while (nth < NthMax && random.Chance(0.6)) nth++;
        return At(random, fault, step, nth);
    }

    /// <summary>One at a step.</summary>
    public static Aim? At(SimulationRandom random, FaultKinds faults, ProtocolStep step, int nth)
    {
        if (Fault(random, faults, step) is not { } fault) return null;
        var times = 1;
        if (new Aim(fault, step, nth).IsOfStep)
        {
            while (times < TimesMax && random.Chance(0.5)) times++;
        }

        return new Aim(fault, step, nth, times);
    }

    /// <summary>One that may strike there.</summary>
    private static FaultKinds? Fault(SimulationRandom random, FaultKinds faults, ProtocolStep step)
    {
        var possible = faults & (step.IsRecord ? Aim.AtRecords : Aim.AtMessages);
        if (possible == 0) return null;
        var ofStep = possible & Aim.OfSteps;
        var ofSilos = possible & ~Aim.OfSteps;
        if (ofStep == 0) return Pick(random, ofSilos);
        if (ofSilos == 0) return Pick(random, ofStep);

        // Messages are lost more often than silos die; after a record it is the other way round.
        return Pick(random, random.Chance(step.IsRecord ? 0.3 : 0.7) ? ofStep : ofSilos);
    }

    /// <summary>One of them; more often one by which silos come to believe different things.</summary>
    private static FaultKinds Pick(SimulationRandom random, FaultKinds among)
    {
        var owners = among & (FaultKinds.Crash | FaultKinds.RivalOwner);
        if (owners != 0 && random.Chance(0.5)) among = owners;
        var late = among & (FaultKinds.Delay | FaultKinds.Loss);
        if (late != 0 && random.Chance(0.7)) among = late;
        for (var n = random.Next(BitOperations.PopCount((uint)among)); n > 0; n--) among &= among - 1;
        return among & (FaultKinds)(-(int)among);
    }
}
