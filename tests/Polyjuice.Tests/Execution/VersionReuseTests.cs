using Polyjuice.Execution;

namespace Polyjuice.Tests.Execution;

public class VersionReuseTests
{
    private const long LongAgo = 60_000;
    private readonly EngineRig _rig = new(configure: options => options.VersionsKept = 1);
    private long _token;

    [Fact]
    public void The_object_of_a_forgotten_version_becomes_a_new_one()
    {
        var seen = new HashSet<StateVersion>(ReferenceEqualityComparer.Instance);
        for (var i = 0; i < 20; i++)
        {
            Update();
            seen.Add(Last);
        }

        Assert.Equal(20, _rig.Read(0).Tokens.Count);
        Assert.InRange(seen.Count, 2, 4);
    }

    [Fact]
    public void A_version_that_a_running_transaction_has_read_stays_what_it_was()
    {
        Update();
        var gate = new TaskCompletionSource();
        List<long>? first = null;
        List<long>? second = null;
        var reader = _rig.Start("Look", async frame =>
        {
            first ??= await _rig.State(0).ReadAsync(frame, state => new List<long>(state.Tokens));
            await gate.Task;
            second ??= await _rig.State(0).ReadAsync(frame, state => new List<long>(state.Tokens));
        });
        var read = Last;
        for (var i = 0; i < 10; i++)
        {
            Update();
            Assert.NotSame(read, Last);
        }

        Assert.True(read.Pins > 0);
        _rig.Node.Turn(gate.SetResult);
        _rig.End(reader);
        Assert.True(reader.IsCompletedSuccessfully);
        Assert.Equal(first, second);
        Assert.Single(second!);
    }

    private StateVersion Last => _rig.Node.Engine.Owner(0)!.GetParticipant(_rig.Cluster.KeyOf(0)).Last;

    private void Update()
    {
        _rig.Commit("Add", async frame => await _rig.Add(frame, 0, 1, ++_token));
        _rig.Cluster.Loop.RunFor(LongAgo);
    }
}
