using System.Collections.Concurrent;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Testing.Tests.Clusters;

namespace Polyjuice.Testing.Tests.Workloads;

public sealed class WorkloadTests : IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("workloads-").FullName;
    private PolyjuiceTestCluster _cluster = null!;

    public async Task InitializeAsync() =>
        _cluster = await PolyjuiceTestCluster.StartAsync(
            options => (options.Silos, options.EvidenceFolder, options.RecordsHistory) = (1, _folder, true));

    public async Task DisposeAsync()
    {
        await _cluster.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task As_many_calls_are_made_as_asked_and_each_client_draws_the_same_each_time()
    {
        var drawn = new ConcurrentBag<(int Client, int Number)>();
        async Task CallAsync(WorkloadClient client)
        {
            drawn.Add((client.Number, client.Random.Next()));
            await client.Grains.GetGrain<IPurse>(client.Number).Put(1);
        }

        var result = await _cluster.RunAsync(
            CallAsync, options => (options.Clients, options.Calls, options.Seed) = (1, 20, 7));
        var first = drawn.ToHashSet();
        drawn.Clear();
        await _cluster.RunAsync(CallAsync, options => (options.Clients, options.Calls, options.Seed) = (1, 20, 7));

        Assert.Equal((20, 0, 0, 0), (result.Committed, result.Refused, result.GivenUp, result.InDoubt));
        Assert.Equal(first, drawn.ToHashSet());
        Assert.Equal(40, await _cluster.Grains.GetGrain<IPurse>(0).Count());
    }

    [Fact]
    public async Task Calls_are_made_until_as_many_have_committed_as_asked()
    {
        var made = 0;
        var result = await _cluster.RunAsync(
            client => Interlocked.Increment(ref made) <= 1_500
                ? Task.FromException(new OrleansTransactionAbortedException("1", "not yet"))
                : client.Grains.GetGrain<IPurse>(client.Number).Put(1),
            options => options.Commits = 20);

        Assert.Equal(1_500, result.GivenUp + result.Refused);
        Assert.InRange(result.Committed, 20, 27);
    }

    [Fact]
    public async Task A_mistake_of_the_workload_ends_the_run_and_its_evidence_is_kept()
    {
        await _cluster.RunAsync(client => client.Grains.GetGrain<IPurse>(1).Put(1), options => options.Calls = 5);

        var failure = await Assert.ThrowsAsync<ClusterRunException>(
            () => _cluster.RunAsync(_ => throw new FormatException("a typing mistake")));

        Assert.Contains("a typing mistake", failure.Message, StringComparison.Ordinal);
        Assert.StartsWith(_folder, failure.Folder, StringComparison.Ordinal);
        Assert.Superset(
            new HashSet<string> { "why.txt", "faults.txt", "history.jsonl" },
            Directory.GetFiles(failure.Folder).Select(file => Path.GetFileName(file)!).ToHashSet());
    }

    [Fact]
    public async Task A_run_is_ended_by_who_waits_for_it()
    {
        using var end = new CancellationTokenSource();
        var running = _cluster.RunAsync(
            async client =>
            {
                await client.Grains.GetGrain<IPurse>(1).Put(1);
                await end.CancelAsync();
            },
            options => options.Calls = long.MaxValue,
            end.Token);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    [Fact]
    public async Task An_option_out_of_its_bounds_is_refused_by_its_name()
    {
        var failure = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => _cluster.RunAsync(_ => Task.CompletedTask, options => options.Clients = 0));
        Assert.Contains(nameof(WorkloadOptions.Clients), failure.Message, StringComparison.Ordinal);
    }
}
