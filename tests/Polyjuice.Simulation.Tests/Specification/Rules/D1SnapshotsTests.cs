using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class D1SnapshotsTests
{
    private readonly Trace _trace = new();

    public D1SnapshotsTests()
    {
        _trace.Access(1, 0);
        _trace.Access(2, 0);
        _trace.Order(1, 0, 100, Update(0, default, 1, 100));
        _trace.Write(0, _trace.PrepareRecord(1, 100, default), CommitRecord(1, 100, [0]));
        _trace.Specification.Accept(new BranchEnded(First, 0, T(1), true));
        _trace.Order(2, 0, 200, Update(0, Version(1), 2, 200));
    }

    private static SnapshotServed Served(VersionId version, long timestamp, long readTimestamp) =>
        new(First, 0, T(3), X, version, readTimestamp, timestamp);

    [Fact]
    public void A_snapshot_is_the_last_version_below_its_timestamp()
    {
        Refused("D1", () => _trace.Specification.Accept(Served(default, 150, 150)));
        Refused("D1", () => _trace.Specification.Accept(Served(Version(1), 100, 100)));
        _trace.Specification.Accept(Served(Version(1), 150, 150));
        Refused("D1", () => _trace.Specification.Accept(Served(Version(1), 250, 250)));
    }

    [Fact]
    public void A_version_that_is_undecided_is_not_served() =>
        Refused("D1", () => _trace.Specification.Accept(Served(Version(2), 250, 250)));

    [Fact]
    public void A_snapshot_leaves_a_read_timestamp() =>
        Refused("R1", () => _trace.Specification.Accept(Served(Version(1), 150, 100)));
}
