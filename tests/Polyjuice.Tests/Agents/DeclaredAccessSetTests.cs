using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;

namespace Polyjuice.Tests.Agents;

/// <summary>Transactions that say beforehand what they access.</summary>
public class DeclaredAccessSetTests
{
    [Theory]
    [InlineData(PolicyAdmission.DeclaredReserve)]
    [InlineData(PolicyAdmission.DryRunReserve)]
    internal void What_is_declared_is_reserved_without_a_dry_run(PolicyAdmission admission)
    {
        var rig = new EngineRig(AdmissionPolicy.Of(admission));
        rig.End(Start(rig, mayRunDry: true, [0], async frame => await rig.Add(frame, 0, 1, 1)));
        Assert.Equal((0, 1, 0), (rig.Statistics.DryRuns, rig.Statistics.Reservations, rig.Statistics.AccessSetMisses));
        Assert.Equal([1], rig.Read(0).Tokens);
    }

    [Theory]
    [InlineData(PolicyAdmission.Run)]
    [InlineData(PolicyAdmission.DryRun)]
    internal void Where_nothing_is_reserved_nobody_asks(PolicyAdmission admission)
    {
        var rig = new EngineRig(AdmissionPolicy.Of(admission));
        Task task = Task.CompletedTask;
        var request = new TransactionRequest { Type = "Add", AccessSet = new UnaskedAccessSet() };
        rig.Node.Turn(
            () => task = rig.Node.Engine.RunAsync(
                request,
                new GrainMethod("IRoot.Add"),
                async frame => await rig.Add(frame, 0, 1, 1),
                CancellationToken.None));
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal((0, 0), (rig.Statistics.DryRuns, rig.Statistics.Reservations));
    }

    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 0)]
    public void What_has_proven_wrong_is_found_out_by_a_dry_run_if_that_is_allowed(bool mayRunDry, int dryRuns)
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DryRunReserve));
        rig.Commit("Load", async frame => await rig.Add(frame, 1, 1, 3));
        var (holder, gate) = ReservationScenes.StartHolder(rig);
        var before = rig.Statistics.DryRuns;
        var runs = 0;
        var task = Start(rig, mayRunDry, [1], async frame =>
        {
            runs++;
            await rig.Add(frame, 1, 1, 2);
            await rig.Add(frame, 0, 1, 2);
        });
        rig.Until(
            () => rig.Statistics.AbortsByReason[(int)AbortReason.AccessSetMiss] == 1,
            "it must come to what it has not declared");
        rig.Node.Turn(gate.Open);
        rig.End(holder);
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);
        Assert.Equal((dryRuns, 2 + dryRuns), (rig.Statistics.DryRuns - before, runs));
        Assert.Equal([1, 2], rig.Read(0).Tokens);
    }

    [Fact]
    public void A_declaration_that_throws_fails_its_transaction()
    {
        var rig = new EngineRig(AdmissionPolicy.Of(PolicyAdmission.DeclaredReserve));
        Task task = Task.CompletedTask;
        var request = new TransactionRequest { Type = "Add", AccessSet = new UnaskedAccessSet() };
        rig.Node.Turn(
            () => task = rig.Node.Engine.RunAsync(
                request,
                new GrainMethod("IRoot.Add"),
                async frame => await rig.Add(frame, 0, 1, 1),
                CancellationToken.None));
        rig.End(task);
        Assert.IsType<NotSupportedException>(task.Exception?.InnerException);
    }

    private static Task Start(EngineRig rig, bool mayRunDry, int[] accounts, Func<CallFrame, Task> body)
    {
        Task task = Task.CompletedTask;
        var declared = new FixedAccessSet([
            .. accounts.Select(account => new DeclaredAccess(rig.Cluster.Accounts.KeyOf(account), Updates: true))
        ]);
        var request = new TransactionRequest { Type = "Add", AllowsReconnaissance = mayRunDry, AccessSet = declared };
        rig.Node.Turn(
            () => task = rig.Node.Engine.RunAsync(request, new GrainMethod("IRoot.Add"), body, CancellationToken.None));
        return task;
    }

    private sealed class UnaskedAccessSet : IDeclaredAccessSet
    {
        public IReadOnlyList<DeclaredAccess> Of(ITransactionBody body) => throw new NotSupportedException();
    }
}
