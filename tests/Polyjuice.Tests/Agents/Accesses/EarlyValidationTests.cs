using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;
using Polyjuice.Versions;

namespace Polyjuice.Tests.Agents.Accesses;

/// <summary>
/// The grains of class Account (0, 1, 3 and 4) validate early, those of class Savings (2 and 5) do not: a rival
/// overtakes account 2 while the body stands at a gate, and the access to account 4 behind the gate finds that out.
/// </summary>
public sealed class EarlyValidationTests
{
    [Fact]
    public void A_transaction_that_a_node_knew_by_name_before_its_call_came_is_recorded_there_all_the_same()
    {
        using var cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                ThinkMax = 0, DirectoryLag = 0, Policy = _ => new FixedPolicy("early", PolicyActions.EarlyValidation)
            },
            seed: 1);
        var id = new TransactionId(cluster.Node(0).Id, cluster.Node(0).Engine.Live.OldestLive);
        cluster.Node(1).Turn(() => cluster.Node(1).Engine.Transactions.FindOrCreateShell(id, "Move"));
        var gate = new Gate();
        var record = cluster.Submit(
            cluster.Node(0), new TransactionSpec("Move", Step.Sequence(Step.Update(1, 1), Step.Wait(gate))));
        cluster.Require(() => gate.Arrivals == 1, 1_000_000, "progress", "the body must get there");
        Assert.Equal(id, record.LastAttempt);
        Assert.Single(cluster.Node(1).Engine.Transactions.Find(id)!.Record!);
        gate.Open();
        cluster.AwaitEnd(record);
        Assert.Equal(Outcome.Committed, record.Outcome);
    }

    private static readonly SitePolicy Early = new(
        "early",
        site => site.State.StartsWith("Account", StringComparison.Ordinal)
            ? PolicyActions.EarlyValidation
            : PolicyActions.None);

    private readonly Gate _gate = new();
    private int _runs;

    [Fact]
    public void A_body_whose_suffix_was_overtaken_is_resumed_behind_its_validated_prefix()
    {
        var rig = Warm();
        var (seen, results) = (new List<long>(), new List<long>());
        Overtake(rig, async frame =>
        {
            seen.Add(await rig.State(0).UpdateAsync(frame, state =>
            {
                var before = state.Balance;
                state.Balance -= 10;
                state.Tokens.Add(7);
                return before;
            }));
            results.Add(await rig.Add(frame, 2, 10, 7));
            await _gate.Arrive();
            await rig.Add(frame, 4, 0, 7);
        });

        Assert.Equal(2, _runs);
        Assert.Equal([100, 100], seen);
        Assert.Equal([110, 115], results);
        Assert.Equal(1, rig.Statistics.Resumes);
        Assert.Equal(0, rig.Statistics.AbortsByReason[(int)AbortReason.EarlyValidation]);
        Expect(rig, 0, 90, 7);
        Expect(rig, 2, 115, 99, 7);
        Expect(rig, 4, 100, 7);
    }

    [Fact]
    public void A_prefix_that_only_read_is_served_what_it_read_before()
    {
        var rig = Warm();
        var seen = new List<long>();
        Overtake(rig, async frame =>
        {
            seen.Add(await rig.State(0).ReadAsync(frame, state => state.Balance));
            await rig.Add(frame, 2, 10, 7);
            await _gate.Arrive();
            await rig.Add(frame, 4, -10, 7);
        });

        Assert.Equal([100, 100], seen);
        Assert.Equal(1, rig.Statistics.Resumes);
        Expect(rig, 2, 115, 99, 7);
        Expect(rig, 4, 90, 7);
    }

    [Fact]
    public void A_body_that_swallows_the_failure_is_resumed_all_the_same()
    {
        var rig = Warm();
        var failures = 0;
        Overtake(rig, async frame =>
        {
            await rig.Add(frame, 0, -10, 7);
            await rig.Add(frame, 2, 10, 7);
            await _gate.Arrive();
            try
            {
                await rig.Add(frame, 4, 0, 7);
            }
            catch (TransactionAbortedException)
            {
                // What user code does; the attempt is doomed whether it notices or not.
                failures++;
            }
        });
        Assert.Equal(1, failures);

        Assert.Equal(1, rig.Statistics.Resumes);
        Expect(rig, 0, 90, 7);
        Expect(rig, 2, 115, 99, 7);
        Expect(rig, 4, 100, 7);
    }

    [Fact]
    public void A_body_that_goes_elsewhere_on_its_resume_starts_over()
    {
        var rig = Warm();
        Overtake(rig, async frame =>
        {
            await rig.Add(frame, _runs == 2 ? 3 : 0, -10, 7);
            await rig.Add(frame, 2, 10, 7);
            await _gate.Arrive();
            await rig.Add(frame, 4, 0, 7);
        });

        StartedOver(rig, resumes: 1, runs: 3);
        Expect(rig, 3, 100);
    }

    [Fact]
    public void A_prefix_that_comes_to_another_state_on_its_resume_starts_over()
    {
        var rig = Warm();
        Overtake(rig, async frame =>
        {
            await rig.Add(frame, 0, _runs == 2 ? -20 : -10, 7);
            await rig.Add(frame, 2, 10, 7);
            await _gate.Arrive();
            await rig.Add(frame, 4, 0, 7);
        });

        StartedOver(rig, resumes: 1, runs: 3);
    }

    [Fact]
    public void A_body_that_ends_before_its_prefix_does_starts_over()
    {
        var rig = Warm();
        Overtake(rig, async frame =>
        {
            if (_runs == 2) return;
            await rig.Add(frame, 0, -10, 7);
            await rig.Add(frame, 2, 10, 7);
            await _gate.Arrive();
            await rig.Add(frame, 4, 0, 7);
        });

        StartedOver(rig, resumes: 1, runs: 3);
    }

    [Fact]
    public void A_body_with_parallel_calls_starts_over()
    {
        var rig = Warm();
        Overtake(rig, async frame =>
        {
            await rig.Node.Calls.RunAsync(frame, -1, Step.Parallel(Slow(1), Slow(3)), new View(), new BodyRun(9, 1));
            await rig.Add(frame, 0, -10, 7);
            await rig.Add(frame, 2, 10, 7);
            await _gate.Arrive();
            await rig.Add(frame, 4, 0, 7);
        });

        StartedOver(rig, resumes: 0, runs: 2);
    }

    [Fact]
    public void A_body_whose_access_waits_beside_another_is_parallel()
    {
        var rig = new EngineRig(
            new FixedPolicy("locking", PolicyActions.WaitForHolders | PolicyActions.EarlyValidation));
        rig.Commit("Move", async frame => await rig.Add(frame, 0, 0, 1));
        var holder = rig.Start("Holder", async frame =>
        {
            await rig.Add(frame, 0, 0, 2);
            await _gate.Arrive();
        });
        rig.Until(() => _gate.Arrivals == 1, "the holder must come to the gate");
        var wasParallel = new List<bool>();
        var both = rig.Start("Both", async frame =>
        {
            var waits = rig.Add(frame, 0, 0, 3).AsTask();
            wasParallel.Add(frame.Transaction.IsParallel);
            await rig.Add(frame, 2, 0, 3);
            wasParallel.Add(frame.Transaction.IsParallel);
            await waits;
        });
        rig.Until(() => wasParallel.Count == 2, "the second access does not wait");
        _gate.Open();
        rig.End(holder);
        rig.End(both);
        Assert.Equal([false, true], wasParallel[..2]);
    }

    [Fact]
    public void A_suffix_on_two_silos_starts_over()
    {
        var rig = Warm(nodes: 2);
        Overtake(rig, async frame =>
        {
            await rig.Add(frame, 0, -10, 7);
            await rig.Add(frame, 2, 10, 7);
            await rig.Node.Calls.RunAsync(frame, -1, Step.Update(1), new View(), new BodyRun(9, _runs));
            await _gate.Arrive();
            await rig.Add(frame, 4, 0, 7);
        });

        Assert.True(rig.Cluster.Node(1).Calls.RemoteCallsEntered >= 2);
        StartedOver(rig, resumes: 0, runs: 2);
    }

    [Fact]
    public void A_body_whose_first_access_was_overtaken_starts_over()
    {
        var rig = Warm();
        Overtake(rig, async frame =>
        {
            await rig.Add(frame, 2, 10, 7);
            await _gate.Arrive();
            await rig.Add(frame, 4, 0, 7);
        });

        Assert.Equal((0L, 2), (rig.Statistics.Resumes, _runs));
        Assert.Equal(1, rig.Statistics.AbortsByReason[(int)AbortReason.EarlyValidation]);
        Expect(rig, 2, 115, 99, 7);
    }

    [Fact]
    public void A_read_that_was_overtaken_still_holds_while_the_transaction_can_come_before_that()
    {
        var rig = Warm();
        var seen = new List<long>();
        Overtake(rig, async frame =>
        {
            await rig.Add(frame, 0, -10, 7);
            seen.Add(await rig.State(2).ReadAsync(frame, state => state.Balance));
            await _gate.Arrive();
            await rig.State(4).ReadAsync(frame, state => state.Balance);
            seen.Add(rig.Statistics.AbortsByReason[(int)AbortReason.EarlyValidation] + rig.Statistics.Resumes);
        });

        Assert.Equal(0, seen[1]);
    }

    [Fact]
    public void A_read_does_not_hold_that_was_overtaken_by_what_the_transaction_has_seen_since()
    {
        var rig = Warm();
        rig.Commit("Move", async frame => await rig.Add(frame, 5, 0, 1));
        var seen = new List<(long, long)>();
        var task = rig.Start("Move", async frame =>
        {
            _runs++;
            await rig.Add(frame, 0, -10, 7);
            var before = await rig.State(2).ReadAsync(frame, state => state.Balance);
            await _gate.Arrive();
            var after = await rig.State(5).ReadAsync(frame, state => state.Balance);
            seen.Add((before, after));
            await rig.Add(frame, 4, 10, 7);
        });
        rig.Until(() => _gate.Arrivals == 1, "the body must come to the gate");
        rig.Commit("Rival", async frame =>
        {
            await rig.Add(frame, 2, 5, 99);
            await rig.Add(frame, 5, -5, 99);
        });
        _gate.Open();
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);

        // It found out at its next validated access, and was resumed behind the first.
        Assert.Equal([(100, 95), (105, 95)], seen);
        Assert.Equal(
            (1L, 0L), (rig.Statistics.Resumes, rig.Statistics.AbortsByReason[(int)AbortReason.EarlyValidation]));
        Assert.Equal(2, _runs);
        Expect(rig, 0, 90, 7);
        Expect(rig, 4, 110, 7);
    }

    [Fact]
    public void A_body_may_be_resumed_again_and_again()
    {
        var rig = Warm();
        var gates = new[] { new Gate(), new Gate() };
        var task = rig.Start("Move", async frame =>
        {
            var run = ++_runs;
            await rig.Add(frame, 0, -10, 7);
            await rig.Add(frame, 2, 10, 7);
            if (run <= 2) await gates[run - 1].Arrive();
            await rig.Add(frame, 4, 0, 7);
        });
        foreach (var gate in gates)
        {
            rig.Until(() => gate.Arrivals == 1, "the body must come to the gate");
            rig.Commit("Rival", async frame => await rig.Add(frame, 2, 5, 99));
            gate.Open();
        }

        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal(
            (2L, 0L, 3),
            (rig.Statistics.Resumes, rig.Statistics.AbortsByReason[(int)AbortReason.EarlyValidation], _runs));
        Expect(rig, 0, 90, 7);
        Expect(rig, 2, 120, 99, 99, 7);
    }

    [Fact]
    public void What_the_suffix_has_exposed_is_taken_back_before_the_body_is_resumed()
    {
        var rig = new EngineRig(new SitePolicy("early", site =>
            PolicyActions.WritePublic | (site.State.StartsWith("Account", StringComparison.Ordinal)
                ? PolicyActions.EarlyValidation
                : PolicyActions.None)));
        foreach (var account in new[] { 0, 2, 3, 5 })
        {
            rig.Commit("Move", async frame =>
            {
                await rig.State(account).ReadAsync(frame, state => state.Balance);
                await rig.Add(frame, account, 0, 1);
            });
        }

        var pause = new Gate();
        var task = rig.Start("Move", async frame =>
        {
            var run = ++_runs;
            await rig.Add(frame, 0, -10, 7);
            if (run == 2) await pause.Arrive();
            await rig.State(2).ReadAsync(frame, state => state.Balance);
            await rig.Add(frame, 5, 10, 7);
            if (run == 1) await _gate.Arrive();
            await rig.State(3).ReadAsync(frame, state => state.Balance);
        });
        rig.Until(() => _gate.Arrivals == 1, "the body must come to the gate");
        Assert.Equal((1, 1), (ParticipantOf(rig, 0).Exposed.Count, ParticipantOf(rig, 5).Exposed.Count));
        rig.Commit("Rival", async frame =>
        {
            await rig.Add(frame, 2, 5, 99);
            await rig.Add(frame, 3, -5, 99);
        });
        _gate.Open();
        rig.Until(() => pause.Arrivals == 1, "the body must be resumed");
        Assert.Equal((1, 0), (ParticipantOf(rig, 0).Exposed.Count, ParticipantOf(rig, 5).Exposed.Count));
        Assert.Equal([1, 0, 0, 0], new[] { 0, 2, 3, 5 }.Select(account => ParticipantOf(rig, account).Accessors.Count));
        pause.Open();
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal((1L, 2), (rig.Statistics.Resumes, _runs));
        Expect(rig, 0, 90, 1, 7);
        Expect(rig, 5, 110, 1, 7);
    }

    [Fact]
    public void A_suffix_that_has_replaced_a_version_of_the_prefix_starts_over()
    {
        var rig = Warm();
        rig.Commit("Move", async frame => await rig.Add(frame, 5, 0, 1));
        Overtake(rig, async frame =>
        {
            await rig.Add(frame, 5, 1, 7);
            await rig.Add(frame, 0, -10, 7);
            await rig.Add(frame, 2, 10, 7);
            await rig.Add(frame, 5, 1, 7);
            await _gate.Arrive();
            await rig.Add(frame, 4, 0, 7);
        });

        StartedOver(rig, resumes: 0, runs: 2);
        Expect(rig, 5, 102, 1, 7, 7);
    }

    [Fact]
    public void What_the_prefix_has_accessed_stays_accessed_when_the_suffix_that_did_too_is_taken_back()
    {
        var rig = Warm();
        rig.Commit("Move", async frame => await rig.State(5).ReadAsync(frame, state => state.Balance));
        var pause = new Gate();
        var seen = new List<long>();
        var task = rig.Start("Move", async frame =>
        {
            var run = ++_runs;
            seen.Add(await rig.State(5).ReadAsync(frame, state => state.Balance));
            await rig.Add(frame, 0, -10, 7);
            if (run == 2) await pause.Arrive();
            await rig.Add(frame, 2, 10, 7);
            await rig.State(5).ReadAsync(frame, state => state.Balance);
            if (run == 1) await _gate.Arrive();
            await rig.Add(frame, 4, 0, 7);
        });
        rig.Until(() => _gate.Arrivals == 1, "the body must come to the gate");
        rig.Commit("Rival", async frame => await rig.Add(frame, 2, 5, 99));
        _gate.Open();
        rig.Until(() => pause.Arrivals == 1, "the body must be resumed");

        // What it has read there is no longer so when it is ordered.
        rig.Commit("Rival", async frame => await rig.Add(frame, 5, 5, 99));
        rig.Commit("Rival", async frame =>
        {
            await rig.Add(frame, 5, 5, 99);
            await rig.Add(frame, 2, 5, 99);
        });
        pause.Open();
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal([100, 100, 110], seen);
        Assert.Equal(3, _runs);
    }

    [Fact]
    public void What_was_validated_before_is_not_looked_at_again_before_it_is_ordered()
    {
        var rig = Warm();
        var task = rig.Start("Move", async frame =>
        {
            _runs++;
            await rig.Add(frame, 0, -10, 7);
            await _gate.Arrive();
            await rig.Add(frame, 4, 10, 7);
        });
        rig.Until(() => _gate.Arrivals == 1, "the body must come to the gate");
        rig.Commit("Rival", async frame => await rig.Add(frame, 0, 5, 99));
        _gate.Open();
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal(
            (0, 1),
            (rig.Statistics.AbortsByReason[(int)AbortReason.EarlyValidation],
                rig.Statistics.AbortsByReason[(int)AbortReason.Validation]));
        Assert.Equal(2, _runs);
        Expect(rig, 0, 95, 99, 7);
    }

    [Fact]
    public void What_was_taken_back_does_not_count_as_validated()
    {
        var rig = Warm();
        var gates = new[] { new Gate(), new Gate() };
        var past = 0;
        var task = rig.Start("Move", async frame =>
        {
            var run = ++_runs;
            await rig.Add(frame, 0, -10, 7);
            await rig.State(2).ReadAsync(frame, state => state.Balance);
            if (run == 2) await gates[1].Arrive();
            await rig.Add(frame, 4, 0, 7);
            past++;
            if (run == 1) await gates[0].Arrive();
            await rig.Add(frame, 2, 10, 7);
            await rig.Add(frame, 3, 0, 7);
        });
        rig.Until(() => gates[0].Arrivals == 1, "the body must come to its first gate");
        rig.Commit("Rival", async frame => await rig.Add(frame, 2, 5, 99));
        gates[0].Open();
        rig.Until(() => gates[1].Arrivals == 1, "the body must be resumed");

        // What it reads next tells that it is overtaken again, where it had got past before.
        rig.Commit("Rival", async frame =>
        {
            await rig.Add(frame, 2, 5, 99);
            await rig.Add(frame, 4, 5, 99);
        });
        gates[1].Open();
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal((2L, 3, 2), (rig.Statistics.Resumes, _runs, past));
        Expect(rig, 2, 120, 99, 99, 7);
    }

    private static Participant ParticipantOf(EngineRig rig, int account) =>
        rig.Node.Engine.Partitions.All.Single().GetParticipant(rig.Cluster.Accounts.KeyOf(account));

    private static Step Slow(int account) => Step.Call(account, Step.Sequence(Step.Pause(10), Step.Read(account)));

    /// <summary>Policies know only sites that were seen: one transaction passes each first.</summary>
    private static EngineRig Warm(int nodes = 1)
    {
        var rig = new EngineRig(Early, nodes);
        foreach (var account in nodes == 1 ? new[] { 0, 1, 2, 3, 4 } : [0, 2, 4])
        {
            rig.Commit("Move", async frame =>
            {
                await rig.State(account).ReadAsync(frame, state => state.Balance);
                await rig.State(account).UpdateAsync(frame, state => state.Balance);
            });
        }

        return rig;
    }

    private void Overtake(EngineRig rig, Func<CallFrame, Task> body)
    {
        var task = rig.Start("Move", frame =>
        {
            _runs++;
            return body(frame);
        });
        rig.Until(() => _gate.Arrivals == 1, "the body must come to the gate");
        rig.Commit("Rival", async frame => await rig.Add(frame, 2, 5, 99));
        _gate.Open();
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully, task.Exception?.ToString());
    }

    private void StartedOver(EngineRig rig, int resumes, int runs)
    {
        Assert.Equal(resumes, rig.Statistics.Resumes);
        Assert.Equal(1, rig.Statistics.AbortsByReason[(int)AbortReason.EarlyValidation]);
        Assert.Equal(runs, _runs);
        Expect(rig, 0, 90, 7);
        Expect(rig, 2, 115, 99, 7);
        Expect(rig, 4, 100, 7);
    }

    private static void Expect(EngineRig rig, int account, long balance, params long[] tokens)
    {
        var state = rig.Read(account);
        Assert.Equal(balance, state.Balance);
        Assert.Equal(tokens, state.Tokens);
    }
}
