using BankAccount.Grains;
using Polyjuice.Testing;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Tests;

/// <summary>
/// Calls of the bank account sample, recorded once for all tests, with states: customers send money between accounts
/// that were opened before.
/// </summary>
public sealed class RecordedBank : IAsyncLifetime, IDisposable
{
    private const int Transfers = 1_600;
    private const int Customers = 8;

    private static readonly string[] s_owners = ["Ada", "Bruno", "Chiara", "Dmitri"];

    private readonly TestFolder _folder = new();
    private readonly MemoryTraceSink _sink = new();

    /// <summary>The application.</summary>
    public static TrainedApplication Application { get; } = new() { Assemblies = [typeof(IAccountGrain).Assembly] };

    /// <summary>The recording.</summary>
    internal AccessTrace Trace { get; private set; } = null!;

    /// <summary>The same as a file.</summary>
    public string File => _folder.File("bank.pjtrace");

    /// <inheritdoc/>
    public async Task InitializeAsync()
    {
        await using (var cluster = await PolyjuiceTestCluster.StartAsync(options => options.Policy = "ic3"))
        {
            await OpenAsync(cluster);
            cluster.StartTrace(
                new TraceRecorderOptions { RecordsCalls = true, RecordsStates = true, ChunksMax = 256 }, _sink);
            await Task.WhenAll(Enumerable.Range(0, Customers).Select(customer => SendAsync(cluster, customer)));
            await cluster.StopTraceAsync();
        }

        Trace = TraceFile.Read(_sink).Trace;
        await TraceFile.WriteAsync(Trace, File);
    }

    /// <summary>Opens the accounts.</summary>
    public static Task OpenAsync(PolyjuiceTestCluster cluster) =>
        Task.WhenAll(s_owners.Select(owner => cluster.Grains.GetGrain<IAccountGrain>(owner).Deposit(1_000_000)));

    /// <summary>Writes the files that silos have recorded.</summary>
    /// <param name="folder">Where.</param>
    public void WriteRecordedTo(string folder)
    {
        Directory.CreateDirectory(folder);
        foreach (var file in _sink.Files) System.IO.File.WriteAllBytes(Path.Combine(folder, file.Name), file.Content);
    }

    /// <summary>
    /// The recording without its states, and with a cash machine's grain type of another name, if one is given.
    /// </summary>
    internal AccessTrace WithoutStates(string? grainType = null)
    {
        var builder = new AccessTraceBuilder(Trace.StartMicroseconds) { ArgumentEncoding = Trace.ArgumentEncoding };
        foreach (var silo in Trace.Silos) builder.AddSilo(silo.Node, silo.Name);
        foreach (var type in Trace.Types) builder.AddType(type);
        foreach (var site in Trace.Sites) builder.AddSite(site.Key);
        foreach (var grain in Trace.Grains) builder.AddGrain(grain.Class, grain.Key);
        foreach (var participant in Trace.Participants)
            builder.AddParticipant(participant.Grain, participant.State, participant.Silo);
        foreach (var window in Trace.Windows) builder.AddWindow(window);
        foreach (var method in Trace.Methods)
            builder.AddMethod(method with { GrainType = grainType ?? method.GrainType });
        for (var i = 0; i < Trace.Transactions.Length; i++)
            builder.AddTransaction(Trace.Transactions[i], Trace.AccessesOf(Trace.Transactions[i]), Trace.Calls[i]);
        return builder.Build();
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
