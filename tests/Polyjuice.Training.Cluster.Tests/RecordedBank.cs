using BankAccount.Grains;
using Polyjuice.Testing;
using Polyjuice.Tracing;
using Polyjuice.Training.Cluster;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Tests;

/// <summary>Calls of the bank account sample, recorded once for all tests: accounts are opened, and then customers send money.</summary>
public sealed class RecordedBank : IAsyncLifetime, IDisposable
{
    private const int Transfers = 1_600;
    private const int Customers = 8;

    private static readonly string[] s_owners = ["Ada", "Bruno", "Chiara", "Dmitri"];

    private readonly TestFolder _folder = new();

    /// <summary>The application.</summary>
    public static TrainedApplication Application { get; } = new() { Assemblies = [typeof(IAccountGrain).Assembly] };

    /// <summary>The recording.</summary>
    public AccessTrace Trace { get; private set; } = null!;

    /// <summary>The same as a file.</summary>
    public string File => _folder.File("bank.pjtrace");

    /// <inheritdoc/>
    public async Task InitializeAsync()
    {
        var sink = new MemoryTraceSink();
        await using (var cluster = await PolyjuiceTestCluster.StartAsync(options => options.Policy = "ic3"))
        {
            cluster.StartTrace(new TraceRecorderOptions { RecordsCalls = true, ChunksMax = 256 }, sink);
            await Task.WhenAll(s_owners.Select(owner => cluster.Grains.GetGrain<IAccountGrain>(owner).Deposit(1_000_000)));
            await Task.WhenAll(Enumerable.Range(0, Customers).Select(customer => SendAsync(cluster, customer)));
            await cluster.StopTraceAsync();
        }

        Trace = TraceFile.Read([.. sink.Files.Select(file => (file.Name, (Func<Stream>)(() => new MemoryStream(file.Content))))]).Trace;
        await TraceFile.WriteAsync(Trace, File);
    }

    Task IAsyncLifetime.DisposeAsync() => Task.CompletedTask;

    /// <inheritdoc/>
    public void Dispose() => _folder.Dispose();

    private static async Task SendAsync(PolyjuiceTestCluster cluster, int customer)
    {
        var random = new Random(customer);
        for (var i = 0; i < Transfers / Customers; i++)
        {
            var from = random.Next(s_owners.Length);
            var to = (from + 1 + random.Next(s_owners.Length - 1)) % s_owners.Length;
            await cluster.Grains.GetGrain<IAtmGrain>(customer).Transfer(Account(from), Account(to), random.Next(1, 10));
        }

        IAccountGrain Account(int owner) => cluster.Grains.GetGrain<IAccountGrain>(s_owners[owner]);
    }
}

/// <summary>Tests that use it, one class after the other: each starts clusters that need all processors.</summary>
[CollectionDefinition(Name)]
public sealed class RecordedBankCollection : ICollectionFixture<RecordedBank>
{
    /// <summary>The collection's name.</summary>
    public const string Name = "recorded bank";
}
