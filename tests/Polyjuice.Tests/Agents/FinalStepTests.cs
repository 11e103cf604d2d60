using Polyjuice.Agents;
using Polyjuice.Contracts;

namespace Polyjuice.Tests.Agents;

public sealed class FinalStepTests
{
    private readonly List<TransactionId> _steps = [];

    [Fact]
    public void It_is_taken_once_and_the_transaction_commits()
    {
        var rig = new EngineRig();
        TransactionId attempt = default;
        rig.Commit("Pay", async frame =>
        {
            attempt = frame.TransactionId;
            await Pay(rig, frame, Task.FromResult(true));
        });
        Assert.Equal([attempt], _steps);
        Assert.Equal(105, rig.Read(0).Balance);
    }

    [Fact]
    public void What_it_refuses_is_aborted_and_not_retried()
    {
        var rig = new EngineRig();
        var task = rig.Run("Pay", frame => Pay(rig, frame, Task.FromResult(false)));
        Assert.Equal(AbortReason.CommitRefused, EngineRig.AbortOf(task).Abort.Reason);
        Assert.Single(_steps);
        Assert.Equal(100, rig.Read(0).Balance);
    }

    [Fact]
    public void When_it_throws_the_caller_hears_in_doubt_and_nothing_is_kept()
    {
        var rig = new EngineRig();
        var task = rig.Run(
            "Pay", frame => Pay(rig, frame, Task.FromException<bool>(new IOException("the line is dead"))));
        Assert.IsType<TransactionInDoubtException>(task.Exception?.InnerException);
        Assert.Equal(100, rig.Read(0).Balance);
    }

    [Fact]
    public void What_it_throws_is_logged()
    {
        var rig = new EngineRig(trace: true);
        rig.Run("Pay", frame => Pay(rig, frame, Task.FromException<bool>(new IOException("the line is dead"))));
        Assert.Contains(
            rig.Cluster.Trace,
            line => line.Contains("Warning", StringComparison.Ordinal) && line.Contains("Pay", StringComparison.Ordinal)
                && line.Contains("the line is dead", StringComparison.Ordinal));
    }

    [Fact]
    public void Nothing_is_committed_while_it_is_being_taken()
    {
        var rig = new EngineRig();
        var answer = new TaskCompletionSource<bool>();
        var task = rig.Start("Pay", frame => Pay(rig, frame, answer.Task));
        rig.Until(() => _steps.Count == 1, "the step must be taken");
        var reader = rig.Start("Look", async frame => await rig.State(0).ReadAsync(frame, state => state.Balance));
        Assert.False(task.IsCompleted);
        rig.Node.Turn(() => answer.SetResult(true));
        rig.End(task);
        rig.End(reader);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal(105, rig.Read(0).Balance);
    }

    [Fact]
    public void An_attempt_that_fails_before_never_takes_it()
    {
        var rig = new EngineRig();
        var task = rig.Run("Pay", async frame =>
        {
            await Pay(rig, frame, Task.FromResult(true));
            throw new InvalidOperationException("no");
        });
        Assert.Equal(AbortReason.UserException, EngineRig.AbortOf(task).Abort.Reason);
        Assert.Empty(_steps);
    }

    [Fact]
    public void It_needs_an_update_first()
    {
        var rig = new EngineRig();
        Exception? refusal = null;
        rig.Commit("Look", async frame =>
        {
            await rig.State(0).ReadAsync(frame, state => state.Balance);
            refusal = Record.Exception(() => rig.State(0).DecideBy(frame, _ => Task.FromResult(true)));
        });
        Assert.IsType<InvalidOperationException>(refusal);
    }

    private async Task Pay(EngineRig rig, CallFrame frame, Task<bool> answer)
    {
        await rig.Add(frame, 0, 5, 1);
        rig.State(0).DecideBy(frame, id =>
        {
            _steps.Add(id);
            return answer;
        });
    }
}
