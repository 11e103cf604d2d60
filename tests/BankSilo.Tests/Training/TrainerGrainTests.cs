using System.Net;
using System.Text.Json;
using BankSilo.Settings;
using Orleans.TestingHost;
using Polyjuice.Training;

namespace BankSilo.Tests.Training;

/// <summary>The trainer that is in the silos themselves.</summary>
public sealed class TrainerGrainTests
{
    private const int Enough = 500;

    [Fact]
    public async Task A_trainer_in_the_silos_trains_on_what_they_record_and_they_take_what_it_publishes()
    {
        var threads = new List<(bool IsPools, TaskScheduler Scheduler)>();
        await using var trained = await TrainedCluster.StartAsync(2, (plan, report, token) =>
        {
            threads.Add((Thread.CurrentThread.IsThreadPoolThread, TaskScheduler.Current));
            return TrainedCluster.Judged(TableTrainer.Run(plan, report, token), isBetter: true);
        });

        await trained.RecordAsync(Enough);

        foreach (var silo in trained.Cluster.Silos) Assert.Equal("learned-1", await trained.TakenAsync(silo));
        Assert.Equal([(false, TaskScheduler.Default)], threads);
        var history = await trained.Repository.ReadAsync();
        var release = await trained.Repository.GetAsync(history.InForce, history);
        Assert.Equal("the silos' trainer", release.By);
        Assert.Contains("IAtmGrain.Transfer", release.Policy, StringComparison.Ordinal);
        var report = await trained.Trainer.GetReport();
        Assert.True(report.IsRunning);
        Assert.Null(report.Problem);
        Assert.Contains(report.Silo, trained.Cluster.Silos.Select(silo => silo.SiloAddress.ToString()));
        Assert.True(report.WindowsSeen >= 1);
    }

    [Fact]
    public async Task When_its_silo_dies_in_the_middle_of_a_search_another_silo_goes_on_with_it()
    {
        var searching = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var trained = await TrainedCluster.StartAsync(3, (plan, report, token) =>
        {
            if (searching.Task.IsCompleted) return TrainedCluster.Judged(TableTrainer.Run(plan, report, token), isBetter: true);
            return TrainedCluster.Judged(
                TableTrainer.Run(
                    plan,
                    point =>
                    {
                        report(point);
                        searching.TrySetResult();
                        token.WaitHandle.WaitOne();
                    },
                    token),
                isBetter: false);
        });
        await trained.RecordAsync(Enough);
        await searching.Task;
        var first = await trained.Trainer.GetReport();
        Assert.True(first.IsTraining);

        await trained.Cluster.KillSiloAsync(trained.Cluster.Silos.Single(silo => silo.SiloAddress.ToString() == first.Silo));

        Assert.Equal(2, trained.Cluster.Silos.Count);
        foreach (var silo in trained.Cluster.Silos) Assert.Equal("learned-1", await trained.TakenAsync(silo));
        var second = await trained.Trainer.GetReport();
        Assert.NotEqual(first.Silo, second.Silo);
        Assert.Equal(first.WindowsSeen, second.WindowsSeen);
        Assert.Equal(1, (await trained.Repository.ReadAsync()).Last);
    }

    [Fact]
    public async Task What_it_is_at_can_be_asked_of_every_silo_by_HTTP()
    {
        var folder = Directory.CreateTempSubdirectory("polyjuice-bank").FullName;
        try
        {
            await using var silo = await RunningSilo.StartAsync("--Trainer:Enabled=true", $"--Trainer:StateFolder={folder}/state", $"--Silo:TraceFolder={folder}/traces", $"--Silo:PolicyFolder={folder}/policies");

            var (status, text) = await silo.AskAsync(SiloEndpoints.Trainer);

            Assert.Equal(HttpStatusCode.OK, status);
            using var report = JsonDocument.Parse(text);
            Assert.Contains($":{silo.SiloPort}:", report.RootElement.GetProperty("silo").GetString(), StringComparison.Ordinal);
            Assert.Equal(0, report.RootElement.GetProperty("published").GetInt32());
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Without_one_there_is_nothing_to_ask()
    {
        await using var silo = await RunningSilo.StartAsync();
        var (status, text) = await silo.AskAsync(SiloEndpoints.Trainer);
        Assert.Equal(HttpStatusCode.NotFound, status);
        Assert.Contains("Trainer:Enabled", text, StringComparison.Ordinal);
    }
}
