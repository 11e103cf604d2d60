using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class R3DependenciesTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void Who_reads_what_is_undecided_depends_on_its_writer()
    {
        _trace.Access(1, 0);
        _trace.Access(2, 0);
        _trace.Order(1, 0, 100, Update(0, default, 1, 100));
        Refused("R3", () => _trace.Order(2, 0, 110, Read(0, Version(1), 110), manager: -1));
        _trace.Order(2, 0, 110, Read(0, Version(1), 110), manager: -1, dependencies: [1]);
    }

    [Fact]
    public void Who_reads_what_has_committed_depends_on_nobody()
    {
        _trace.Access(1, 0);
        _trace.Access(2, 0);
        _trace.Order(1, 0, 100, Update(0, default, 1, 100));
        _trace.Write(0, _trace.PrepareRecord(1, 100, default), CommitRecord(1, 100, [0]));
        _trace.Specification.Accept(new BranchEnded(First, 0, T(1), true));
        _trace.Order(2, 0, 110, Read(0, Version(1), 110), manager: -1);
    }
}
