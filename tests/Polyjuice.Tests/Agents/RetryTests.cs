using System.ComponentModel.DataAnnotations;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Waits;

namespace Polyjuice.Tests.Agents;

public sealed class RetryTests
{
    private readonly Gate _gate = new();
    private int _runs;

    public static TheoryData<AbortReason, bool> Reasons()
    {
        AbortReason[] final =
        [
            AbortReason.None, AbortReason.UserException, AbortReason.ReadOnlyViolation, AbortReason.OrphanCall,
            AbortReason.Timeout, AbortReason.Cancelled, AbortReason.Shutdown, AbortReason.InDoubt,
            AbortReason.CommitRefused,
        ];
        var data = new TheoryData<AbortReason, bool>();
        foreach (var reason in Enum.GetValues<AbortReason>()) data.Add(reason, !final.Contains(reason));
        return data;
    }

    [Theory]
    [MemberData(nameof(Reasons))]
    public void Each_reason_says_whether_the_same_call_may_succeed_and_describes_itself(
        AbortReason reason, bool isRetriable)
    {
        var abort = new AbortInfo(reason, "Bank.Pay", "Account/7", "Account.balance", "Bank.Audit", Attempts: 3);
        Assert.Equal(isRetriable, abort.IsRetriable);
        Assert.Equal(reason == AbortReason.InDoubt, abort.IsInDoubt);
        var text = abort.Describe();
        Assert.Contains(
            reason == AbortReason.InDoubt ? "in doubt" : $"aborted: {reason}", text, StringComparison.Ordinal);
        Assert.All(
            ["Bank.Pay", "Account/7", "Account.balance", "Bank.Audit", "3 attempts"],
            part => Assert.Contains(part, text, StringComparison.Ordinal));
    }

    [Fact]
    public void A_first_attempts_description_has_nothing_that_is_not_known() =>
        Assert.Equal("Transaction Pay aborted: Deadlock.", new AbortInfo(AbortReason.Deadlock, "Pay").Describe());

    [Fact]
    public void A_retriable_abort_is_retried()
    {
        var rig = new EngineRig();
        var task = Overtaken(rig, maxAttempts: 0);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal(2, _runs);
        Assert.Equal(2, rig.Read(2).Tokens.Count);
    }

    [Fact]
    public void One_attempt_at_the_most_switches_retry_off()
    {
        var rig = new EngineRig();
        var abort = EngineRig.AbortOf(Overtaken(rig, maxAttempts: 1)).Abort;
        Assert.Equal(1, _runs);
        Assert.Equal(AbortReason.Validation, abort.Reason);
        Assert.Equal(1, abort.Attempts);
        Assert.Equal("Move", abort.TransactionType);
        Assert.Equal([99], rig.Read(2).Tokens);
    }

    [Fact]
    public void A_users_exception_surfaces_as_the_inner_one_and_is_not_retried()
    {
        var rig = new EngineRig();
        var mine = new UserException("no");
        var task = rig.Run("Move", async frame =>
        {
            _runs++;
            await rig.Add(frame, 0, 5, 1);
            throw mine;
        });
        var exception = EngineRig.AbortOf(task);
        Assert.Same(mine, exception.InnerException);
        Assert.Equal(AbortReason.UserException, exception.Abort.Reason);
        Assert.Equal(1, _runs);
        Assert.Equal(100, rig.Read(0).Balance);
    }

    [Fact]
    public void Cancellation_aborts_a_body_that_stands_still()
    {
        var rig = new EngineRig();
        using var cancellation = new CancellationTokenSource();
        var task = rig.Start("Move", Standing(rig), cancellationToken: cancellation.Token);
        rig.Until(() => _gate.Arrivals == 1, "the body must come to the gate");
        cancellation.Cancel();
        rig.End(task);
        Assert.Equal(AbortReason.Cancelled, EngineRig.AbortOf(task).Abort.Reason);
        Assert.Equal(100, rig.Read(2).Balance);
    }

    [Fact]
    public void A_stop_aborts_what_runs_and_refuses_what_comes()
    {
        var rig = new EngineRig();
        var task = rig.Start("Move", Standing(rig));
        rig.Until(() => _gate.Arrivals == 1, "the body must come to the gate");
        rig.Node.Stop();
        rig.End(task);
        Assert.Equal(AbortReason.Shutdown, EngineRig.AbortOf(task).Abort.Reason);
        var late = rig.Run("Move", _ => throw new InvalidOperationException("It must not run."));
        Assert.Equal(AbortReason.Shutdown, EngineRig.AbortOf(late).Abort.Reason);
        rig.Node.Stop();
    }

    [Fact]
    public void A_transaction_in_flight_keeps_its_table_when_the_policy_is_swapped()
    {
        var rig = new EngineRig();
        PolicyTable? before = null;
        PolicyTable? after = null;
        PolicyTable? next = null;
        var task = rig.Start("Move", async frame =>
        {
            before = frame.Transaction.Policy;
            await rig.Add(frame, 2, 1, 1);
            await _gate.Arrive();
            await rig.Add(frame, 0, 1, 1);
            after = frame.Transaction.Policy;
        });
        rig.Until(() => _gate.Arrivals == 1, "the body must come to the gate");
        rig.Node.Policies.Swap(new FixedPolicy("locks", PolicyActions.WaitForHolders));
        _gate.Open();
        rig.End(task);
        rig.Commit("Move", frame =>
        {
            next = frame.Transaction.Policy;
            return Task.CompletedTask;
        });
        Assert.Equal("plain", before!.Name);
        Assert.Same(before, after);
        Assert.Equal("locks", next!.Name);
        Assert.True(next.Version > before.Version);
    }

    [Fact]
    public void An_option_out_of_its_bounds_is_named()
    {
        new EngineOptions().Validate();
        var exception = Assert.Throws<ValidationException>(() => new EngineOptions { TickMicroseconds = 1 }.Validate());
        Assert.Contains(nameof(EngineOptions.TickMicroseconds), exception.Message, StringComparison.Ordinal);
        exception = Assert.Throws<ValidationException>(() => new EngineOptions { MaxAttempts = 0 }.Validate());
        Assert.Contains(nameof(EngineOptions.MaxAttempts), exception.Message, StringComparison.Ordinal);
    }

    private Func<CallFrame, Task> Standing(EngineRig rig) => async frame =>
    {
        _runs++;
        await rig.Add(frame, 2, 1, 1);
        await _gate.Arrive();
    };

    private Task Overtaken(EngineRig rig, int maxAttempts)
    {
        var task = rig.Start("Move", Standing(rig), maxAttempts);
        rig.Until(() => _gate.Arrivals == 1, "the body must come to the gate");
        rig.Commit("Rival", async frame => await rig.Add(frame, 2, 5, 99));
        _gate.Open();
        rig.End(task);
        return task;
    }
}
