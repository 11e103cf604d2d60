using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Ycsb;

/// <summary>Draws operations, makes them, and keeps books of what it was told.</summary>
internal sealed class YcsbClient(
    YcsbWorkload workload, WorkloadCluster cluster, double theta, BenchmarkRandom random) : IWorkloadClient
{
    /// <summary>Fields overwritten.</summary>
    public Tally Updates { get; } = new();

    public Task<OperationOutcome> RunOneAsync() => Choose().RunAsync();

    public WorkloadOperation Choose()
    {
        var phase = workload.Phase;
        var steps = new YcsbStep[phase.Operations];
        for (var i = 0; i < steps.Length; i++) steps[i] = Step(phase, phase.Mix.Choose(random.Next(100)));
        return steps.Length == 1
            ? new WorkloadOperation((int)steps[0].Action, () => EndAsync(steps, Start(steps[0])))
            : new WorkloadOperation(
                YcsbWorkload.OperationTypes.Count - 1, () => EndAsync(steps, Record(steps[0].Key).Run([.. steps])));
    }

    private YcsbStep Step(YcsbPhase phase, YcsbAction action) => action switch
    {
        YcsbAction.Insert => new YcsbStep(action, workload.Inserted.Next(), 0),
        YcsbAction.Scan => new YcsbStep(action, Key(phase), 1 + random.Next(YcsbWorkload.ScanMax)),
        YcsbAction.Read when phase.Mix.ReadsLatest =>
            new YcsbStep(action, workload.Inserted.Known - 1 - workload.Ages.For(phase.Theta ?? theta).Next(random), 0),
        _ => new YcsbStep(action, Key(phase), random.Next(YcsbRow.FieldCount)),
    };

    private long Key(YcsbPhase phase) => workload.Keys.For(phase.Theta ?? theta).Next(random);

    private Task Start(YcsbStep step) => step.Action switch
    {
        YcsbAction.Read => Record(step.Key).Read(),
        YcsbAction.Update => Record(step.Key).Update(step.Argument),
        YcsbAction.Insert => Record(step.Key).Insert(),
        YcsbAction.Scan => Record(step.Key).Scan(step.Argument),
        _ => Record(step.Key).ReadModifyWrite(step.Argument),
    };

    private IYcsbRecordGrain Record(long key) => cluster.Grains.GetGrain<IYcsbRecordGrain>(key);

    private async Task<OperationOutcome> EndAsync(YcsbStep[] steps, Task operation)
    {
        var outcome = await Outcomes.OfAsync(operation);
        Updates.Book(outcome, steps.Count(step => step.Action is YcsbAction.Update or YcsbAction.ReadModifyWrite));
        if (outcome != OperationOutcome.Committed) return outcome;
        foreach (var step in steps)
        {
            if (step.Action == YcsbAction.Insert) workload.Inserted.Told(step.Key);
        }

        return outcome;
    }
}
