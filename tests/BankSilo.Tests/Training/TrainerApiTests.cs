using System.Net;
using System.Text.Json;
using SiloHosting.Settings;
using Orleans.Runtime;

namespace BankSilo.Tests.Training;

/// <summary>What the trainer in the silos is at, from outside.</summary>
public sealed class TrainerApiTests
{
    [Fact]
    public async Task What_it_is_at_can_be_asked_of_every_silo_by_HTTP()
    {
        var folder = Directory.CreateTempSubdirectory("polyjuice-bank").FullName;
        try
        {
            await using var silo = await RunningSilo.StartAsync("--Trainer:Enabled=true",
                $"--Trainer:StateFolder={folder}/state", $"--Silo:TraceFolder={folder}/traces",
                $"--Silo:PolicyFolder={folder}/policies");

            var (status, text) = await silo.AskAsync(SiloEndpoints.Trainer);

            Assert.Equal(HttpStatusCode.OK, status);
            using var report = JsonDocument.Parse(text);
            Assert.Contains($":{silo.SiloPort}:", report.RootElement.GetProperty("silo").GetString(),
                StringComparison.Ordinal);
            Assert.Equal(0, report.RootElement.GetProperty("published").GetInt32());
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task One_that_could_not_work_ends_the_program_by_the_name_of_the_option()
    {
        var refusal = await Assert.ThrowsAnyAsync<Exception>(async () =>
        {
            await using var silo = await RunningSilo.StartAsync("--Trainer:Enabled=true", "--Silo:TraceFolder=traces",
                "--Silo:PolicyFolder=policies", "--Trainer:Threads=0");
        });
        Assert.IsType<OrleansConfigurationException>(refusal);
        Assert.Contains("Threads", refusal.Message, StringComparison.Ordinal);
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
