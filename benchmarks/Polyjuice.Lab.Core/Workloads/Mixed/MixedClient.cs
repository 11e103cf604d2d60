using Orleans;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>Makes transactions, and notes what it asked for and was told.</summary>
internal sealed class MixedClient(
    MixedWorkload workload, WorkloadCluster cluster, ZipfianGenerator cells, BenchmarkRandom random) : IWorkloadClient
{
    private readonly MixedPlans _plans = new(workload, cells, random);
    private int _process = workload.NextProcess();

    public Task<OperationOutcome> RunOneAsync() => Choose().RunAsync();

    public WorkloadOperation Choose()
    {
        var plan = _plans.Next();
        return new((int)plan.Kind, () => RunAsync(plan)) { IsOneCall = plan.Kind != MixedCall.Client };
    }

    private async Task<OperationOutcome> RunAsync(MixedPlan plan)
    {
        workload.Note($"{plan.Kind} {plan.Root.Cell}");
        workload.Invoke(_process, cluster, plan.Root);
        try
        {
            if (await CallAsync(plan) is not { } seen) return Declined();
            workload.Ok(_process, cluster, plan.Root, seen);
            if (plan.SumsAccounts) workload.Sum(seen);
            return OperationOutcome.Committed;
        }
        catch (Exception exception)
        {
            var outcome = workload.OutcomeOf(exception);
            workload.Note($"{outcome} {exception.GetType().Name}: {exception.Message}");
            if (outcome == OperationOutcome.InDoubt)
            {
                // Its transaction may still be going on: the client goes on as another process.
                workload.Info(_process, cluster);
                _process = workload.NextProcess();
            }
            else
            {
                workload.Fail(_process, cluster);
            }

            return outcome;
        }
    }

    private OperationOutcome Declined()
    {
        workload.Fail(_process, cluster);
        return OperationOutcome.Declined;
    }

    /// <summary>What its accesses saw; <see langword="null"/> if the client's own delegate has declined.</summary>
    private async Task<CellSight[]?> CallAsync(MixedPlan plan)
    {
        var root = plan.Root;
        return plan.Kind switch
        {
            MixedCall.Client => await RunOfClientAsync(root),
            MixedCall.Declared =>
                await ((IOpenCellGrain)Cells.Of(cluster.Grains, root.Cell)).Pay(root.Steps[1].Cell, root),
            MixedCall.Learned =>
                await ((IOpenCellGrain)Cells.Of(cluster.Grains, root.Cell)).Move(root.Steps[1].Cell, root),
            MixedCall.ReadOnly => await Cells.Of(cluster.Grains, root.Cell).Look(root),
            MixedCall.Own => await Cells.Of(cluster.Grains, root.Cell).RunOwn(workload.NextOwn(), root),
            _ => await Cells.Of(cluster.Grains, root.Cell).Run(root),
        };
    }

    private async Task<CellSight[]?> RunOfClientAsync(CellStep root)
    {
        var transactions = cluster.Transactions
            ?? throw new NotSupportedException("This cluster's clients run no transactions.");
        CellSight[] seen = [];
        await transactions.RunTransaction(
            TransactionOption.Create,
            async () =>
            {
                // It may run more than once: the last time counts.
                seen = await StepsAsync(root);
                return !root.Declines;
            },
            useExclusiveLock: random.Next(4) == 0);
        return root.Declines ? null : seen;
    }

    private async Task<CellSight[]> StepsAsync(CellStep root)
    {
        if (root.IsParallel) return [.. (await Task.WhenAll(root.Steps.Select(StepAsync))).SelectMany(seen => seen)];
        var all = new List<CellSight>();
        foreach (var step in root.Steps) all.AddRange(await StepAsync(step));
        return [.. all];
    }

    private async Task<CellSight[]> StepAsync(CellStep step)
    {
        var cell = Cells.Of(cluster.Grains, step.Cell);
        return step.IsCall ? await cell.Run(step) : [await cell.Access(step)];
    }
}
