using System.Diagnostics.Metrics;

namespace Polyjuice.Training.Orleans.Tests;

/// <summary>The trainer that is in the silos themselves, on what they record; verdicts are its own.</summary>
public sealed class TrainerGrainTests
{
    private const int Enough = 600;

    [Fact]
    public async Task A_trainer_in_the_silos_trains_on_what_they_record_and_they_take_what_it_signs_and_publishes()
    {
        var threads = new List<(bool IsPools, TaskScheduler Scheduler)>();
        var results = new List<TrainingResult>();
        await using var trained = await TrainedCluster.StartAsync(2, (plan, report, token) =>
        {
            threads.Add((Thread.CurrentThread.IsThreadPoolThread, TaskScheduler.Current));
            var result = TableTrainer.Run(plan, report, token);
            results.Add(result);
            return result;
        });

        await trained.RecordPaymentsAsync(Enough);

        foreach (var silo in trained.Cluster.Silos) Assert.Equal("learned-1", await trained.TakenAsync(silo));
        Assert.Equal([(false, TaskScheduler.Default)], threads);
        Assert.True(Assert.Single(results).IsBetter);
        var history = await trained.Repository.ReadAsync();
        var release = await trained.Repository.GetAsync(history.InForce, history);
        Assert.Equal("the silos' trainer", release.By);
        Assert.NotNull(release.Signature);
        Assert.Contains("ITellerGrain.Pay", release.Policy, StringComparison.Ordinal);
        var report = await trained.ReportAsync(report => report.Published == 1);
        Assert.True(report.IsRunning);
        Assert.Null(report.Problem);
        Assert.Contains(report.Silo, trained.Cluster.Silos.Select(silo => silo.Address.ToString()));
        Assert.True(report.WindowsSeen >= 1);
        Assert.InRange(report.LastRate!.Value, 0, 1);
        Assert.Equal(0, report.TakenBack);
        Assert.Equal(1, Measured("polyjuice.trainer.published"));
    }

    [Fact]
    public async Task When_no_table_is_better_on_what_they_record_nothing_is_published()
    {
        await using var trained = await TrainedCluster.StartAsync(2);

        await trained.RecordMovesAsync(Enough);

        var report = await trained.ReportAsync(report => report.Trainings == 1);
        Assert.Contains("does not beat", report.LastTraining, StringComparison.Ordinal);
        Assert.Equal(0, report.Published);
        Assert.NotNull(report.TrainedFor);
        Assert.Equal(0, (await trained.Repository.ReadAsync()).Last);
    }

    [Fact]
    public async Task When_its_silo_dies_in_the_middle_of_a_search_another_silo_goes_on_with_it()
    {
        var searching = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var trained = await TrainedCluster.StartAsync(3, (plan, report, token) => TableTrainer.Run(
            plan,
            point =>
            {
                report(point);
                if (!searching.TrySetResult()) return;

                // The silo's end takes the search with it.
                token.WaitHandle.WaitOne();
                token.ThrowIfCancellationRequested();
            },
            token));
        await trained.RecordPaymentsAsync(Enough);
        await searching.Task;
        var first = await trained.Trainer.GetReport();
        Assert.True(first.IsTraining);

        await trained.Cluster.Silos.Single(silo => silo.Address.ToString() == first.Silo).CrashAsync();

        Assert.Equal(2, trained.Cluster.Silos.Count);
        foreach (var silo in trained.Cluster.Silos) Assert.Equal("learned-1", await trained.TakenAsync(silo));
        var second = await trained.ReportAsync(report => report.Published == 1);
        Assert.NotEqual(first.Silo, second.Silo);
        Assert.Equal(first.WindowsSeen, second.WindowsSeen);
        Assert.Equal(1, (await trained.Repository.ReadAsync()).Last);
    }

    [Fact]
    public async Task A_release_that_was_taken_back_is_reported()
    {
        await using var trained = await TrainedCluster.StartAsync(1);
        await trained.RecordPaymentsAsync(Enough);
        await trained.ReportAsync(report => report.Published == 1);

        await trained.TakeBackAsync("It is worse here.");

        var report = await trained.ReportAsync(report => report.TakenBack == 1);
        Assert.Contains("It is worse here.", report.LastTraining, StringComparison.Ordinal);
    }

    private static double Measured(string name)
    {
        var values = new List<double>();
        using var listener = new MeterListener { InstrumentPublished = (instrument, listener) =>
            { if (instrument.Name == name) listener.EnableMeasurementEvents(instrument); } };
        listener.SetMeasurementEventCallback<double>((_, value, _, _) => values.Add(value));
        listener.Start();
        listener.RecordObservableInstruments();
        return Assert.Single(values);
    }
}
