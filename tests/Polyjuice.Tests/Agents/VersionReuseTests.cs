using System.Buffers;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Versions;

namespace Polyjuice.Tests.Agents;

public class VersionReuseTests
{
    private const long LongAgo = 60_000;
    private const long Soon = 5_000;
    private EngineRig _rig = new(configure: options => options.VersionsKept = 1);
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

    /// <summary>
    /// A reader is validated against the version that came after the one that it has read
    /// (R1). Were that one's object another version by then, a later one, the reader would
    /// be ordered before it although it has to come after what it was overwritten by.
    /// </summary>
    [Fact]
    public void The_version_after_one_that_a_running_transaction_has_read_stays_what_it_was()
    {
        _rig = new EngineRig(nodes: 2, configure: options => options.VersionsKept = 1);
        var cluster = _rig.Cluster;
        int[] here = [.. Enumerable.Range(0, 6).Where(account => cluster.Accounts.UnitOf(account) == 0).Take(2)];
        var (overwritten, other) = (here[0], here[1]);

        // Agents elsewhere, whose transactions are forgotten while the reader runs.
        void Update(int account)
        {
            cluster.AwaitEnd(cluster.Submit(cluster.Node(1), new TransactionSpec("Add", Step.Update(account, 1))));
            cluster.Loop.RunFor(LongAgo);
        }

        Update(overwritten);
        var gate = new TaskCompletionSource();
        var attempts = 0;
        (int Overwritten, int Other) seen = default;
        var reader = _rig.Start("Look", async frame =>
        {
            attempts++;
            seen.Overwritten = await _rig.State(overwritten).ReadAsync(frame, state => state.Tokens.Count);
            await gate.Task;
            seen.Other = await _rig.State(other).ReadAsync(frame, state => state.Tokens.Count);
        });
        Update(overwritten);
        var (next, wts) = (LastOf(overwritten), LastOf(overwritten).Wts);
        Update(other);
        for (var i = 0; i < 10; i++)
        {
            Update(overwritten);
            Assert.NotSame(next, LastOf(overwritten));
        }

        Assert.Equal(wts, next.Wts);
        _rig.Node.Turn(gate.SetResult);
        _rig.End(reader);
        Assert.True(reader.IsCompletedSuccessfully);
        Assert.Equal((2, (12, 1)), (attempts, seen));
    }

    [Fact]
    public void What_was_still_looked_at_when_it_was_cut_off_refers_to_nothing_afterwards_and_is_used_again()
    {
        Update();
        var gate = new TaskCompletionSource();
        var read = Last;
        var reader = _rig.Start("Look", async frame =>
        {
            await _rig.State(0).ReadAsync(frame, state => state.Tokens.Count);
            await gate.Task;
        });
        Update();
        var next = Last;
        for (var i = 0; i < 5; i++) Update();

        // Out of the history, but somebody looks at the first, and at what came after it.
        Assert.Null(read.Previous);
        Assert.Same(next, read.Next);
        _rig.Node.Turn(gate.SetResult);
        _rig.End(reader);
        _rig.Cluster.Loop.RunFor(LongAgo);
        Assert.Equal((null, null), (read.Next, next.Next));

        // As many at once as there can be spare ones.
        int[] others = [.. Enumerable.Range(1, 5)];
        _rig.Commit("AddAll", async frame =>
        {
            foreach (var other in others) await _rig.Add(frame, other, 1, ++_token);
        });
        var used = others.Select(LastOf).ToHashSet<StateVersion>(ReferenceEqualityComparer.Instance);
        Assert.Contains(read, used);
        Assert.Contains(next, used);
    }

    [Fact]
    public void All_that_one_prune_cuts_off_is_used_again()
    {
        _rig = new EngineRig();
        var known = new HashSet<StateVersion>(ReferenceEqualityComparer.Instance);
        var made = 0;

        // Bursts: what is overwritten stays while it is young, and then goes several at a time.
        for (var round = 0; round < 12; round++)
        {
            made = 0;
            for (var i = 0; i < 3; i++)
            {
                Commit();
                if (known.Add(Last)) made++;
                _rig.Cluster.Loop.RunFor(Soon);
            }

            _rig.Cluster.Loop.RunFor(LongAgo);
        }

        Assert.Equal(0, made);
        Assert.InRange(known.Count, 4, 10);
    }

    [Fact]
    public void A_state_that_cannot_be_copied_leaves_the_transaction_with_what_it_had_written()
    {
        var state = _rig.Node.Engine.CreateState(_rig.Cluster.Accounts.KeyOf(0), new PairCodec());
        for (var i = 0; i < 3; i++)
        {
            _rig.Commit("Set", async frame => await state.UpdateAsync(frame, pair => pair.Set(1, 1)));
            _rig.Cluster.Loop.RunFor(LongAgo);
        }

        _rig.Commit("Set", async frame =>
        {
            await state.UpdateAsync(frame, pair => pair.Set(2, 2));
            await Assert.ThrowsAsync<InvalidOperationException>(
                async () => await state.UpdateAsync(frame, pair => pair.Set(3, PairCodec.Uncopyable)));
        });
        (long, long) seen = default;
        _rig.Commit("Look", async frame => seen = await state.ReadAsync(frame, pair => (pair.First, pair.Second)));
        Assert.Equal((2, 2), seen);
    }

    private StateVersion Last => LastOf(0);

    private StateVersion LastOf(int account) =>
        _rig.Node.Engine.Partitions.Owner(0)!.GetParticipant(_rig.Cluster.Accounts.KeyOf(account)).Last;

    private void Commit() => _rig.Commit("Add", async frame => await _rig.Add(frame, 0, 1, ++_token));

    private void Update()
    {
        Commit();
        _rig.Cluster.Loop.RunFor(LongAgo);
    }

    private sealed class Pair
    {
        public long First { get; set; }

        public long Second { get; set; }

        public long Set(long first, long second)
        {
            First = first;
            return Second = second;
        }
    }

    /// <summary>Copies as far as it gets.</summary>
    private sealed class PairCodec : IStateCodec<Pair>
    {
        public const long Uncopyable = -1;

        public string Name => "pair";

        public bool IsImmutable => false;

        public Pair Create() => new();

        public Pair Copy(Pair value) => Copy(value, new Pair());

        public Pair Copy(Pair value, Pair spent)
        {
            spent.First = value.First;
            if (value.Second == Uncopyable) throw new InvalidOperationException("This one can't be copied.");
            spent.Second = value.Second;
            return spent;
        }

        public void Encode(Pair value, IBufferWriter<byte> output)
        {
            output.Write(BitConverter.GetBytes(value.First));
            output.Write(BitConverter.GetBytes(value.Second));
        }

        public Pair Decode(ReadOnlySpan<byte> bytes) =>
            new() { First = BitConverter.ToInt64(bytes), Second = BitConverter.ToInt64(bytes[8..]) };
    }
}
