using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Clusters;

namespace Polyjuice.Tests.Agents;

/// <summary>Transactions whose access sets follow from their calls: dry runs show that, and then end.</summary>
public class LearnedAccessSetTests
{
    private long _token;

    [Fact]
    public void What_dry_runs_have_shown_often_enough_is_reserved_without_one()
    {
        var rig = Rig();
        for (var i = 0; i < 20; i++) Run(rig, i % 3, (i + 1) % 3);
        var dryRuns = rig.Statistics.DryRuns;
        Assert.InRange(dryRuns, 4, 6);
        Assert.Equal(
            (20 - dryRuns, 20, 0),
            (rig.Statistics.LearnedAccessSets, rig.Statistics.Reservations, rig.Statistics.AccessSetMisses));
        Assert.Equal(0, rig.Statistics.AbortsByReason.Sum());
    }

    [Fact]
    public void Learned_transfers_that_run_at_once_abort_nobody_and_lose_nothing()
    {
        var rig = Rig();
        for (var i = 0; i < 10; i++) Run(rig, i % 3, (i + 1) % 3);
        var before = rig.Statistics.DryRuns;
        var tasks = Enumerable.Range(0, 30).Select(i => Start(rig, [i % 3, (i + 2) % 3])).ToList();
        tasks.ForEach(rig.End);
        Assert.All(tasks, task => Assert.True(task.IsCompletedSuccessfully));
        Assert.Equal((0, before), (rig.Statistics.AbortsByReason.Sum(), rig.Statistics.DryRuns));
        Assert.Equal(80, Enumerable.Range(0, 3).Sum(account => rig.Read(account).Tokens.Count));
    }

    [Fact]
    public void One_now_and_then_is_run_dry_all_the_same()
    {
        var rig = Rig();
        for (var i = 0; i < 10; i++) Run(rig, 0, 1);
        var before = rig.Statistics.DryRuns;
        for (var i = 0; i < LearnedAccesses.CheckEvery; i++) Run(rig, 0, 1);
        Assert.Equal(before + 1, rig.Statistics.DryRuns);
    }

    [Fact]
    public void Who_strays_from_it_is_run_dry_before_it_runs_again_and_so_are_others_if_that_happens_often()
    {
        var rig = Rig();
        for (var i = 0; i < 10; i++) Run(rig, 1, 2);
        var (holder, gate) = ReservationScenes.StartHolder(rig);
        var before = rig.Statistics.DryRuns;
        var stray = Start(rig, [1], [1, 0]);
        rig.Until(
            () => rig.Statistics.AbortsByReason[(int)AbortReason.AccessSetMiss] == 1,
            "it must come to what it has not reserved");
        rig.Node.Turn(gate.Open);
        rig.End(holder);
        rig.End(stray);
        Assert.True(stray.IsCompletedSuccessfully);
        Assert.Equal(before + 1, rig.Statistics.DryRuns);
        Run(rig, 1, 2);
        Assert.Equal(before + 2, rig.Statistics.DryRuns);
    }

    [Fact]
    public void A_silo_can_be_told_to_learn_nothing()
    {
        var rig = Rig(learns: false);
        for (var i = 0; i < 20; i++) Run(rig, 0, 1);
        Assert.Equal((20, 0), (rig.Statistics.DryRuns, rig.Statistics.LearnedAccessSets));
    }

    [Fact]
    public void A_dry_run_that_ends_by_an_exception_teaches_nothing()
    {
        var rig = Rig();
        for (var i = 0; i < 10; i++)
        {
            var task = Start(rig, [0, 1], [0], fails: true);
            rig.End(task);
            Assert.True(task.IsFaulted);
        }

        Assert.Equal((10, 0), (rig.Statistics.DryRuns, rig.Statistics.LearnedAccessSets));
    }

    [Fact]
    public void Keys_that_cannot_be_told_fail_the_transaction()
    {
        var rig = Rig();
        var task = Task.CompletedTask;
        var request = new TransactionRequest { Type = "Add", AllowsReconnaissance = true, CallKeys = new Untold() };
        rig.Node.Turn(
            () => task = rig.Node.Engine.RunAsync(
                request,
                new GrainMethod("IRoot.Add"),
                frame => rig.Add(frame, 0, 1, 1).AsTask(),
                CancellationToken.None));
        rig.End(task);
        Assert.IsType<NotSupportedException>(task.Exception?.InnerException);
    }

    private static EngineRig Rig(bool learns = true) =>
        new(
            AdmissionPolicy.Of(PolicyAdmission.DryRunReserve),
            configure: options => (options.AccessSetsToTrust, options.LearnsAccessSets) = (4, learns));

    private void Run(EngineRig rig, params int[] accounts)
    {
        var task = Start(rig, accounts);
        rig.End(task);
        Assert.True(task.IsCompletedSuccessfully);
    }

    private Task Start(EngineRig rig, int[] named, int[]? accessed = null, bool fails = false)
    {
        var task = Task.CompletedTask;
        var token = ++_token;
        var request = new TransactionRequest
        {
            Type = "Add", AllowsReconnaissance = true, CallKeys = new NamedAccounts(rig, named)
        };
        rig.Node.Turn(() => task = rig.Node.Engine.RunAsync(
            request,
            new GrainMethod("IRoot.Add"),
            async frame =>
            {
                foreach (var account in accessed ?? named) await rig.Add(frame, account, 1, token);
                if (fails) throw new NotSupportedException();
            },
            CancellationToken.None));
        return task;
    }

    private sealed class NamedAccounts(EngineRig rig, int[] accounts) : ICallKeys, IGrainNames
    {
        public CallKeys Of(ITransactionBody body)
        {
            var keys = new CallKeys("Root/0");
            keys.Add(0, accounts.Select(account => (object)new Account(account)).ToArray(), this);
            return keys;
        }

        public string KeyOf(long key) => $"{key}";

        public string KeyOf(Guid key) => $"{key:N}";

        public string? NameOf(object reference) => rig.Cluster.Accounts.KeyOf(((Account)reference).Number).Grain;

        private sealed record Account(int Number);
    }

    private sealed class Untold : ICallKeys
    {
        public CallKeys Of(ITransactionBody body) => throw new NotSupportedException();
    }
}
