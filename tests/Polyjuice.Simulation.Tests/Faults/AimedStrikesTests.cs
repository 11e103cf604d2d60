using Polyjuice.Commit;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Tests.Faults;

public class AimedStrikesTests
{
    private const ulong AllKinds = ~0UL;

    [Fact]
    public void Each_strike_that_is_aimed_at_a_message_happens_once_and_none_that_is_aimed_at_a_record()
    {
        var (atMessages, atAll) = (0, 0);
        for (var seed = 1UL; seed <= 20; seed++)
        {
            var struck = new List<FaultKinds>();
            var profile = new FaultProfile { AimedKinds = FaultKinds.Crash | FaultKinds.RivalOwner, AimedStrikes = 4 };
            var strikes = new AimedStrikes(profile, new SimulationRandom(seed), (kind, _, _) => struck.Add(kind));
            for (var i = 0; i < 10; i++) strikes.Received(null!, AllKinds);
            Assert.All(struck, kind => Assert.True(kind is FaultKinds.Crash or FaultKinds.RivalOwner));
            Assert.InRange(struck.Count, 0, 4);
            atMessages += struck.Count;
            atAll += 4;
        }

        Assert.InRange(atMessages, 1, atAll - 1);
    }

    [Fact]
    public void Nothing_strikes_when_no_kind_is_allowed()
    {
        var strikes = new AimedStrikes(new FaultProfile { AimedStrikes = 4 }, new SimulationRandom(1), (_, _, _) => Assert.Fail("struck"));
        strikes.Received(null!, AllKinds);
    }

    [Fact]
    public void Crashes_come_right_after_a_message_was_handled_and_right_after_a_record_was_written()
    {
        var coverage = new ProtocolCoverage();
        for (var seed = 1UL; seed <= 40; seed++) coverage.Add(Simulator.Run(new RunCase { Seed = seed, Shape = Shapes.Aimed, Faults = FaultKinds.Crash }).Coverage);
        Assert.Contains(coverage.ByMessage, m => m.Kind == nameof(MessageKind.Prepare) && m.Unhandled > 0);
        Assert.Contains(coverage.ByRecord, r => r.Kind == nameof(LogRecordKind.Prepare) && r.Unheard > 0);
    }
}
