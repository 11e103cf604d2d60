using System.Diagnostics;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents.Spans;

public sealed class TransactionSpansTests : IDisposable
{
    private readonly SpanRecorder _spans = new("Polyjuice");

    public void Dispose() => _spans.Dispose();

    [Fact]
    public void A_transaction_is_part_of_what_its_caller_does_and_each_attempt_is_part_of_it()
    {
        var rig = new EngineRig();
        var gate = new Gate();
        var task = rig.Start("Mine", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "the body must come to the gate");
        rig.Commit("Rival", async frame => await rig.Add(frame, 0, 1, 2));
        gate.Open();
        rig.End(task);

        Assert.Same(_spans.Root, Activity.Current);
        var whole = Assert.Single(_spans.Named("Mine"));
        Assert.Equal((_spans.Root.SpanId, ActivityKind.Internal), (whole.ParentSpanId, whole.Kind));
        Assert.Equal("committed", Tag(whole, "polyjuice.transaction.outcome"));
        Assert.Equal(2, Tag(whole, "polyjuice.transaction.attempts"));
        Assert.Equal((ActivityStatusCode.Unset, "Mine"), (whole.Status, Tag(whole, "polyjuice.transaction.type")));
        var attempts = _spans.Below(whole);
        Assert.Equal(["polyjuice.attempt", "polyjuice.attempt"], attempts.Select(attempt => attempt.OperationName));
        Assert.Equal([1, 2], attempts.Select(attempt => Tag(attempt, "polyjuice.transaction.attempt")));
        Assert.Equal(
            ["aborted", "committed"], attempts.Select(attempt => Tag(attempt, "polyjuice.transaction.outcome")));
        Assert.Equal([1, 1], attempts.Select(attempt => Tag(attempt, "polyjuice.policy.version")));
        Assert.Equal(Tag(whole, "polyjuice.transaction.id"), Tag(attempts[1], "polyjuice.transaction.id"));
        Assert.NotEqual(Tag(attempts[0], "polyjuice.transaction.id"), Tag(attempts[1], "polyjuice.transaction.id"));
        Assert.All(attempts, attempt => Assert.InRange(attempt.StartTimeUtc, whole.StartTimeUtc, EndOf(attempt)));
        Assert.All(attempts, attempt => Assert.InRange(EndOf(attempt), attempt.StartTimeUtc, EndOf(whole)));
    }

    [Fact]
    public void An_attempt_that_fails_says_why_and_who_was_in_its_way_and_no_activity_names_a_grain()
    {
        var rig = new EngineRig(new FixedPolicy("die", PolicyActions.WaitForHolders | PolicyActions.Die));
        var gate = new Gate();
        var holder = rig.Start("Rival", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        });
        rig.Until(() => gate.Arrivals == 1, "the rival must hold the account");
        var task = rig.Start("Mine", async frame => await rig.Add(frame, 0, 1, 2), maxAttempts: 1);
        rig.End(task);
        gate.Open();
        rig.End(holder);

        var abort = EngineRig.AbortOf(task).Abort;
        Assert.Equal((AbortReason.Yielded, "Rival"), (abort.Reason, abort.OtherType));
        var rival = Assert.Single(_spans.Below(Assert.Single(_spans.Named("Rival"))));
        var whole = Assert.Single(_spans.Named("Mine"));
        var attempt = Assert.Single(_spans.Below(whole));
        foreach (var failed in new[] { whole, attempt })
        {
            Assert.Equal(ActivityStatusCode.Error, failed.Status);
            Assert.StartsWith("Transaction Mine aborted: Yielded", failed.StatusDescription, StringComparison.Ordinal);
            Assert.Equal("aborted", Tag(failed, "polyjuice.transaction.outcome"));
            Assert.Equal("Yielded", Tag(failed, "polyjuice.abort.reason"));
            Assert.Equal("Rival", Tag(failed, "polyjuice.conflict.type"));
        }

        Assert.Equal(Tag(rival, "polyjuice.transaction.id"), Tag(attempt, "polyjuice.conflict.id"));
        var grain = rig.Cluster.Accounts.KeyOf(0).Grain;
        Assert.Equal(grain, abort.Grain);
        foreach (var activity in _spans.All)
        {
            var values = activity.TagObjects.Select(tag => $"{tag.Value}");
            var said = string.Join(' ', [.. values, activity.StatusDescription, activity.DisplayName]);
            Assert.DoesNotContain(grain, said, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_wait_is_part_of_the_attempt_and_linked_to_whom_it_is_for()
    {
        var (first, second) = Waits(isFirstTraced: true);

        var wait = Assert.Single(_spans.Below(second), part => part.OperationName == "polyjuice.wait");
        Assert.Equal(first!.Context, Assert.Single(wait.Links).Context);
        Assert.Equal(Tag(first, "polyjuice.transaction.id"), Tag(wait, "polyjuice.conflict.id"));
        Assert.Equal("Holds", Tag(wait, "polyjuice.conflict.type"));
        Assert.Equal("satisfied", Tag(wait, "polyjuice.wait.outcome"));
        Assert.StartsWith("IRoot.Waits", (string)Tag(wait, "polyjuice.wait.site")!, StringComparison.Ordinal);
        Assert.InRange(wait.Duration, TimeSpan.FromMicroseconds(1), second.Duration);
    }

    [Fact]
    public void A_wait_for_one_that_is_not_sampled_says_all_but_the_link()
    {
        var (_, second) = Waits(isFirstTraced: false);

        var wait = Assert.Single(_spans.Below(second), part => part.OperationName == "polyjuice.wait");
        Assert.Empty(wait.Links);
        Assert.Equal("Holds", Tag(wait, "polyjuice.conflict.type"));
        Assert.NotNull(Tag(wait, "polyjuice.conflict.id"));
    }

    [Fact]
    public void An_attempt_that_commits_is_prepared_and_then_appended()
    {
        var rig = new EngineRig();
        rig.Commit("Writes", async frame => await rig.Add(frame, 0, 1, 1));
        rig.Commit("Reads", async frame => await rig.State(0).ReadAsync(frame, state => state.Balance));

        var attempt = Assert.Single(_spans.Below(Assert.Single(_spans.Named("Writes"))));
        var prepare = Assert.Single(_spans.Below(attempt), At("polyjuice.prepare"));
        var append = Assert.Single(_spans.Below(attempt), At("polyjuice.append"));
        Assert.Equal(EndOf(prepare), append.StartTimeUtc);
        Assert.Equal(EndOf(attempt), EndOf(append));

        // The simulated log takes so long.
        Assert.InRange(append.Duration, TimeSpan.FromMicroseconds(200), TimeSpan.FromMicroseconds(2_000));
        var reader = Assert.Single(_spans.Below(Assert.Single(_spans.Named("Reads"))));
        Assert.Equal(["polyjuice.prepare"], _spans.Below(reader).Select(part => part.OperationName));

        static Predicate<Activity> At(string name) => activity => activity.OperationName == name;
    }

    [Fact]
    public void A_dry_run_and_the_time_until_all_is_reserved_are_parts_too()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        var task = rig.StartReconnoitred("Reserves", async frame => await rig.Add(frame, 0, 1, 1));
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully, $"{task.Exception}");

        var parts = _spans.Below(Assert.Single(_spans.Named("Reserves")));
        Assert.Equal(["polyjuice.dry_run", "polyjuice.attempt"], parts.Select(part => part.OperationName));
        Assert.Equal(ActivityStatusCode.Unset, parts[0].Status);
        Assert.Null(Tag(parts[0], "polyjuice.transaction.outcome"));
        Assert.Contains("polyjuice.reserve", _spans.Below(parts[1]).Select(part => part.OperationName));
    }

    [Fact]
    public void What_the_body_does_is_part_of_the_attempt()
    {
        var rig = new EngineRig();
        Activity?[] ambient = [];
        rig.Commit("Mine", async frame =>
        {
            var before = Activity.Current;
            await rig.Add(frame, 0, 1, 1);
            ambient = [before, Activity.Current, frame.Activity];
        });

        var attempt = Assert.Single(_spans.Named("polyjuice.attempt"));
        Assert.All(ambient, activity => Assert.Same(attempt, activity));
    }

    [Fact]
    public void What_the_application_throws_is_an_error_without_its_message()
    {
        var rig = new EngineRig();
        rig.Run("Mine", _ => throw new UserException("secret"));

        var whole = Assert.Single(_spans.Named("Mine"));
        Assert.Equal((ActivityStatusCode.Error, "UserException"), (whole.Status, Tag(whole, "polyjuice.abort.reason")));
        Assert.DoesNotContain("secret", whole.StatusDescription, StringComparison.Ordinal);
    }

    [Fact]
    public void One_that_may_not_begin_says_so()
    {
        var rig = new EngineRig();
        rig.Node.Turn(rig.Node.Engine.Stop);
        rig.Run("Late", async frame => await rig.Add(frame, 0, 1, 1));

        var whole = Assert.Single(_spans.Named("Late"));
        Assert.Equal((ActivityStatusCode.Error, "Shutdown"), (whole.Status, Tag(whole, "polyjuice.abort.reason")));
        Assert.Equal(0, Tag(whole, "polyjuice.transaction.attempts"));
        Assert.Empty(_spans.Below(whole));
    }

    [Fact]
    public void Nothing_is_kept_of_attempts_that_are_over()
    {
        var rig = new EngineRig();
        rig.Commit("Mine", async frame => await rig.Add(frame, 0, 1, 1));
        rig.Run("Mine", _ => throw new UserException("no"));
        Assert.NotEmpty(_spans.Named("polyjuice.attempt"));
        Assert.False(rig.Node.Engine.Spans.Any);
    }

    private (Activity? First, Activity Second) Waits(bool isFirstTraced)
    {
        var rig = new EngineRig(new FixedPolicy("holders", PolicyActions.WaitForHolders));
        var gate = new Gate();
        Activity.Current = isFirstTraced ? _spans.Root : null;
        var first = rig.Start("Holds", async frame =>
        {
            await rig.Add(frame, 0, 1, 1);
            await gate.Arrive();
        });
        Activity.Current = _spans.Root;
        rig.Until(() => gate.Arrivals == 1, "the first must hold the account");
        var second = rig.Start("Waits", async frame => await rig.Add(frame, 0, 1, 2));
        rig.Until(() => rig.Node.Engine.Waits.Count == 1, "the second must wait");
        gate.Open();
        rig.End(first);
        rig.End(second);
        return (
            isFirstTraced ? Assert.Single(_spans.Below(Assert.Single(_spans.Named("Holds")))) : null,
            Assert.Single(_spans.Below(Assert.Single(_spans.Named("Waits")))));
    }

    private static object? Tag(Activity activity, string name) => activity.GetTagItem(name);

    private static DateTime EndOf(Activity activity) => activity.StartTimeUtc + activity.Duration;
}
