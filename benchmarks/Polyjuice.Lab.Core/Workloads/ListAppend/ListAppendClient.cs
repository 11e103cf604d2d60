using Polyjuice.Lab.Load;
using Polyjuice.Isolation;

namespace Polyjuice.Lab.Workloads.ListAppend;

/// <summary>Makes transactions of one to four steps, and notes what it asked for and was told.</summary>
internal sealed class ListAppendClient(
    ListAppendWorkload workload, WorkloadCluster cluster, ZipfianGenerator lists,
    BenchmarkRandom random) : IWorkloadClient
{
    private const int StepsMax = 4;
    private int _process = workload.NextProcess();

    public async Task<OperationOutcome> RunOneAsync()
    {
        var inParallel = random.Next(3) == 0;
        var declines = random.Next(20) == 0;
        var steps = Steps(inParallel);
        var root = random.Next(2) == 0 ? steps[0].List : lists.Next(random);
        workload.Invoke(_process, cluster, [.. Ops(steps, null)]);
        try
        {
            var seen = await cluster.Grains.GetGrain<IListGrain>(root).Run(steps, inParallel, declines);
            workload.Ok(_process, cluster, [.. Ops(steps, seen)]);
            return OperationOutcome.Committed;
        }
        catch (Exception exception)
        {
            var outcome = Outcomes.Of<ListDeclinedException>(exception);
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

    private ListStep[] Steps(bool inParallel)
    {
        var count = 1 + random.Next(StepsMax);
        var keys = new long[count];
        if (inParallel) lists.NextDistinct(random, keys);
        else for (var i = 0; i < count; i++) keys[i] = lists.Next(random);
        return [
            .. keys.Select(
                key => new ListStep { List = key, Element = random.Next(2) == 0 ? 0 : workload.NextElement() })
        ];
    }

    // An append saw what it changed, so it is a read too.
    private static IEnumerable<MicroOp> Ops(ListStep[] steps, long[][]? seen)
    {
        for (var i = 0; i < steps.Length; i++)
        {
            yield return seen is null ? MicroOp.Read(steps[i].List) : MicroOp.ReadList(steps[i].List, seen[i]);
            if (steps[i].Element != 0) yield return MicroOp.Append(steps[i].List, steps[i].Element);
        }
    }
}
