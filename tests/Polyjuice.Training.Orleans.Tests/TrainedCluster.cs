using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;
using Polyjuice.Testing;
using Polyjuice.Tracing;
using Polyjuice.Training.Orleans.Tests.GrainCode;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Orleans.Tests;

/// <summary>
/// Silos with a trainer among them, in this process: real traces, real searches, small ones that end after some
/// replays, and their own verdicts. Releases are signed. The trainer's clock moves when a test moves it.
/// </summary>
internal sealed class TrainedCluster : IAsyncDisposable
{
    private const int Purses = 1_000;
    private const int Callers = 24;
    private const int Fee = -1;
    private const int Turnover = -2;

    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-trained").FullName;
    private readonly ManualTime _time = new(DateTimeOffset.UtcNow);
    private readonly string _key = PolicySigningKey.Generate().ToPem();
    private readonly Func<TrainingPlan, Action<SearchPoint>, CancellationToken, TrainingResult> _train;
    private readonly Dictionary<TestSilo, ChannelReader<PolicyChange>> _changes = [];
    private int _calls;

    private TrainedCluster(Func<TrainingPlan, Action<SearchPoint>, CancellationToken, TrainingResult> train) =>
        _train = train;

    public PolyjuiceTestCluster Cluster { get; private set; } = null!;

    public ITrainerGrain Trainer => Cluster.Grains.GetTrainer();

    /// <summary>As silos read it: what is not signed does not count.</summary>
    public PolicyRepository Repository =>
        new(new FilePolicyEntries(Policies), TimeProvider.System,
        new PolicyTrust([PolicyVerificationKey.Parse(PublicKey)], []));

    private string Traces => Path.Combine(_folder, "traces");

    private string Policies => Path.Combine(_folder, "policies");

    private string PublicKey => PolicySigningKey.Parse(_key).Verification.ToPem();

    public static Task<TrainedCluster> StartAsync(int silos) => StartAsync(silos, TableTrainer.Run);

    /// <param name="silos">How many.</param>
    /// <param name="train">Runs searches, on the search's own thread.</param>
    public static async Task<TrainedCluster> StartAsync(int silos, Func<TrainingPlan, Action<SearchPoint>,
        CancellationToken, TrainingResult> train)
    {
        var trained = new TrainedCluster(train);
        try
        {
            await trained.DeployAsync(silos);
            return trained;
        }
        catch
        {
            await trained.DisposeAsync();
            throw;
        }
    }

    /// <summary>
    /// Payments, all of which meet at the house's purses, until there are enough in silos' files; and then it is days
    /// later.
    /// </summary>
    public Task RecordPaymentsAsync(int transactions) =>
        RecordAsync(transactions, i =>
        Teller(i).Pay(Purse(Fee), Purse(i * 7 % Purses), Purse(((i * 7) + 500) % Purses), Purse(Turnover)));

    /// <summary>The same with payments that nobody else has anything to do with.</summary>
    public Task RecordMovesAsync(int transactions) =>
        RecordAsync(transactions, i => Teller(i).Move(Purse(2 * i), Purse((2 * i) + 1)));

    /// <summary>Waits until a silo has put a release in force.</summary>
    public async Task<string> TakenAsync(TestSilo silo)
    {
        var change = await _changes[silo].ReadAsync();
        Assert.Equal(PolicyChangeKind.Taken, change.Kind);
        return change.Policy;
    }

    /// <summary>Asks the trainer until it says something.</summary>
    public async Task<TrainerReport> ReportAsync(Func<TrainerReport, bool> says)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(4));
        for (var report = await Trainer.GetReport(); ; report = await Trainer.GetReport())
        {
            if (says(report)) return report;
            await Task.Delay(50, patience.Token);
        }
    }

    /// <summary>Somebody takes what is in force back, and the trainer's clock goes on.</summary>
    public async Task TakeBackAsync(string reason)
    {
        await new PolicyRepository(new FilePolicyEntries(Policies), TimeProvider.System,
            key: PolicySigningKey.Parse(_key)).RollBackAsync(reason, "somebody");
        _time.MoveTo(_time.GetUtcNow().AddMinutes(2));
    }

    public async ValueTask DisposeAsync()
    {
        if (Cluster is not null) await Cluster.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    private async Task DeployAsync(int silos)
    {
        Cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = silos;

            // What a silo takes by default, and a poor choice for these payments.
            options.Policy = "occ";
            options.ResponseTimeout = TimeSpan.FromMinutes(4);
            options.ConfigureEngine = engine => engine.TransactionTimeoutMicroseconds = 180_000_000;
            options.ConfigureSilo = Configure;
        });
        foreach (var silo in Cluster.Silos)
        {
            var changes = Channel.CreateUnbounded<PolicyChange>();
            silo.Services.GetRequiredService<PolicyFollower>().Changed += change => changes.Writer.TryWrite(change);
            _changes.Add(silo, changes.Reader);
        }
    }

    private void Configure(ISiloBuilder silo)
    {
        // Before what it needs: order does not matter.
        silo.AddTrainer(options =>
        {
            // Windows of a day, so that hardly ever one ends in the middle of a recording.
            (options.StateFolder, options.Window, options.FirstAfterWindows) = (Path.Combine(_folder, "state"),
                TimeSpan.FromDays(1), 1);
            (options.MessageTime, options.Clients, options.ReplayTransactions) = (TimeSpan.FromMilliseconds(1),
                Callers, 120);
            (options.Budget, options.Replays, options.TrialReplays) = (TimeSpan.FromHours(1), 40, 4);
            (options.CheckInterval, options.SigningKey) = (TimeSpan.FromMilliseconds(200), _key);
        });
        silo.Services.AddSingleton<TrainerFactory>(services =>
            ActivatorUtilities.CreateInstance<ClockedTrainer>(services, this));
        silo.AddFilePolicyStore(Policies, options =>
        {
            options.PollInterval = TimeSpan.FromMilliseconds(100);
            options.PublisherKeys.Add(PublicKey);

            // Whether a table is worse on a machine that is busy elsewhere is not what is asked.
            options.Trial = TimeSpan.Zero;
        });
        silo.Configure<PolyjuiceOptions>(options => options.TraceSink = new FileTraceSink(Traces));
    }

    private async Task RecordAsync(int transactions, Func<int, Task> call)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(4));
        while (Recorded() < transactions)
        {
            patience.Token.ThrowIfCancellationRequested();
            await Task.WhenAll(Enumerable.Range(0, Callers).Select(async _ =>
            {
                for (var calls = 0; calls < 3; calls++) await call(Interlocked.Increment(ref _calls));
            }));
        }

        _time.MoveTo(DateTimeOffset.UtcNow.AddDays(4));
    }

    private ITellerGrain Teller(int call) => Cluster.Grains.GetGrain<ITellerGrain>(call % 16);

    private IPurseGrain Purse(int key) => Cluster.Grains.GetGrain<IPurseGrain>(key);

    private int Recorded()
    {
        if (!Directory.Exists(Traces)) return 0;
        var files = Directory.GetFiles(Traces, "*" + TraceFile.Extension).Where(file => new FileInfo(file).Length > 0)
            .ToList();
        return files.Count < Cluster.Silos.Count ? 0
            : TraceFile.Read(files, CancellationToken.None).Trace.Transactions.Length;
    }

    private sealed class ClockedTrainer(TrainedCluster cluster, IOptions<SiloTrainerOptions> trainer,
        IOptions<PolyjuiceOptions> silo, IPolicyEntries entries, ILoggerFactory loggers)
        : TrainerFactory(trainer, silo, entries, loggers)
    {
        protected override TrainerService Open(TrainerOptions options, ITraceSource source,
            PolicyRepository repository, ILogger<TrainerService> logger) =>
            new(options, source, repository, cluster._time, logger, new ReplayTraining(cluster._train));
    }
}
