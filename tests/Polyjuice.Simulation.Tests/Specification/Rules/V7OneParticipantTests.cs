using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class V7OneParticipantTests
{
    [Fact]
    public void One_participant_commits_with_one_append()
    {
        var trace = new Trace();
        trace.Access(1, 0);
        trace.Access(2, 1);
        trace.Order(1, 0, 100, Update(0, default, 1, 100));
        trace.Write(0, trace.PrepareRecord(1, 100, default), CommitRecord(1, 100, [0]));
        trace.Order(2, 1, 100, Update(1, default, 2, 100), manager: 1);
        Refused("V7", () => trace.Write(1, trace.PrepareRecord(2, 100, default, 1, manager: 1)));
    }
}
