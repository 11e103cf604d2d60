using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Orleans.Health;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Health;

public sealed class HealthCheckTests : IDisposable
{
    private readonly StandIn _silo = new();
    private readonly ManualTime _time = new(DateTimeOffset.UnixEpoch.AddYears(50));
    private readonly PolyjuiceHealthOptions _options = new() { AnswerTimeout = TimeSpan.FromMilliseconds(100) };
    private readonly OpenTransactions _open = new(Options.Create(new PolyjuiceOptions()));
    private readonly Refusals _refusals;

    public HealthCheckTests() => _refusals = new(_time);

    public void Dispose() => _open.Dispose();

    [Fact]
    public async Task A_silo_that_serves_all_that_is_its_own_is_ready_and_says_so_in_numbers()
    {
        var result = await ReadyAsync();
        Assert.Equal(HealthStatus.Healthy, result.Status);
        Assert.Equal("active, serves 2 of 4 log partitions", result.Description);
        Assert.Equal(
            ["answer_seconds", "open", "owned", "partitions", "refused", "served", "unwritable", "waiting"],
            result.Data.Keys.Order());
        string[] counts = ["partitions", "owned", "served", "unwritable"];
        Assert.Equal([4, 2, 2, 0], counts.Select(name => (int)result.Data[name]));
        Assert.Equal(0.001, result.Data["answer_seconds"]);
    }

    [Theory]
    [InlineData(SiloStatus.Joining, 4, 2, 0, false, "not an active member yet (Joining): wait")]
    [InlineData(SiloStatus.Active, 0, 0, 0, false, "active, serves 0 of 0 log partitions: wait")]
    [InlineData(SiloStatus.Active, 4, 2, 1, false, "serves 1 of its 2 log partitions: wait")]
    [InlineData(SiloStatus.Active, 4, 2, 2, true, "stopping: send it no work")]
    public async Task One_that_does_not_is_not_and_its_description_says_what_to_do(
        SiloStatus membership, int partitions, int owned, int served, bool isStopping, string text)
    {
        _silo.Readiness = new(membership, partitions, owned, served, isStopping);
        var result = await ReadyAsync();
        Assert.Equal(HealthStatus.Unhealthy, result.Status);
        Assert.StartsWith(text, result.Description, StringComparison.Ordinal);
        Assert.Equal(HealthStatus.Healthy, (await LiveAsync()).Status);
    }

    // All silos that stay take over when one leaves: were they not ready meanwhile, nobody would be.
    [Fact]
    public async Task One_that_takes_partitions_over_is_degraded_and_goes_on()
    {
        _silo.Readiness = new(SiloStatus.Active, 4, 4, 2, false) { IsTakingOver = true };
        var result = await ReadyAsync();
        Assert.Equal(HealthStatus.Degraded, result.Status);
        Assert.StartsWith("serves 2 of its 4 log partitions: it reads", result.Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_that_cannot_take_a_partition_over_says_what_keeps_it_from_that()
    {
        _silo.Readiness = new(SiloStatus.Active, 4, 2, 1, false) { Problem = "partition 1: no such container" };
        var result = await ReadyAsync();
        Assert.Equal(HealthStatus.Unhealthy, result.Status);
        Assert.Contains("no such container. See to", result.Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_log_that_can_not_be_written_degrades_it()
    {
        _silo.Readiness = new(SiloStatus.Active, 4, 2, 2, false) { Unwritable = 1, Problem = "the disk is full" };
        var result = await ReadyAsync();
        Assert.Equal(HealthStatus.Degraded, result.Status);
        Assert.StartsWith(
            "can't write 1 of its 2 logs; the disk is full", result.Description, StringComparison.Ordinal);
        Assert.Equal(1, result.Data["unwritable"]);
    }

    [Fact]
    public async Task Calls_that_were_refused_for_overload_degrade_it_for_a_while()
    {
        _refusals.Add();
        _time.MoveTo(_time.GetUtcNow() + _options.OverloadWindow - TimeSpan.FromSeconds(1));
        var result = await ReadyAsync();
        Assert.Equal((HealthStatus.Degraded, 1L), (result.Status, result.Data["refused"]));
        Assert.Contains("Add silos", result.Description, StringComparison.Ordinal);

        _time.MoveTo(_time.GetUtcNow() + TimeSpan.FromSeconds(1));
        Assert.Equal(HealthStatus.Healthy, (await ReadyAsync()).Status);
    }

    [Fact]
    public async Task An_engine_that_has_failed_is_neither_ready_nor_alive()
    {
        _silo.HasFailed = true;
        foreach (var result in new[] { await ReadyAsync(), await LiveAsync() })
        {
            Assert.Equal(HealthStatus.Unhealthy, result.Status);
            Assert.Contains("Restart the process", result.Description, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task An_engine_that_does_not_answer_in_time_is_neither_ready_nor_alive()
    {
        _silo.Answer = new TaskCompletionSource<TimeSpan>().Task;
        foreach (var result in new[] { await ReadyAsync(), await LiveAsync() })
        {
            Assert.Equal(HealthStatus.Unhealthy, result.Status);
            Assert.Contains("has not answered for 0.1 s", result.Description, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task One_that_answers_is_alive_and_says_what_it_has_done()
    {
        var result = await LiveAsync();
        Assert.Equal((HealthStatus.Healthy, "alive"), (result.Status, result.Description));
        Assert.Equal((3L, 2L, 0.001), (result.Data["attempts"], result.Data["commits"], result.Data["answer_seconds"]));
    }

    [Fact]
    public async Task What_is_unhealthy_counts_as_the_registration_says()
    {
        _silo.HasFailed = true;
        var result = await LiveAsync(failure: HealthStatus.Degraded);
        Assert.Equal(HealthStatus.Degraded, result.Status);
    }

    private Task<HealthCheckResult> ReadyAsync() =>
        AskAsync(new ReadinessCheck(_silo, _silo, _open, _refusals, Options.Create(_options)), failure: null);

    private Task<HealthCheckResult> LiveAsync(HealthStatus? failure = null) =>
        AskAsync(new LivenessCheck(_silo, _silo, Options.Create(_options)), failure);

    private static Task<HealthCheckResult> AskAsync(IHealthCheck check, HealthStatus? failure) =>
        check.CheckHealthAsync(new() { Registration = new("check", check, failure, tags: null) });
}
