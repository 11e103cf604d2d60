using System.Threading.Channels;
using BankAccount.Grains;
using BankSilo.Policies;
using BankSilo.Settings;
using BankSilo.Tracing;
using BankSilo.Training;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Policies.Following;
using Polyjuice.Policies.Publishing;
using Polyjuice.Tracing;
using Polyjuice.Training;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service;
using Polyjuice.Training.Traces;

namespace BankSilo.Tests.Training;

/// <summary>Silos of the bank with a trainer among them, in this process: real traces and real searches, small ones, whose verdict is the test's. The trainer's clock moves when a test moves it.</summary>
internal sealed class TrainedCluster : IAsyncDisposable
{
    private const int Accounts = 6;

    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-bank").FullName;
    private readonly ManualTime _time = new(DateTimeOffset.UtcNow);
    private readonly Func<TrainingPlan, Action<SearchPoint>, CancellationToken, TrainingResult> _train;
    private readonly SiloSettings _settings;
    private readonly Dictionary<InProcessSiloHandle, ChannelReader<PolicyChange>> _changes = [];

    private TrainedCluster(Func<TrainingPlan, Action<SearchPoint>, CancellationToken, TrainingResult> train)
    {
        _train = train;
        _settings = new() { TraceFolder = Path.Combine(_folder, "traces"), PolicyFolder = Path.Combine(_folder, "policies") };
    }

    public InProcessTestCluster Cluster { get; private set; } = null!;

    public ITrainerGrain Trainer => Cluster.Client.GetGrain<ITrainerGrain>(0);

    public PolicyRepository Repository => new(new FilePolicyEntries(_settings.PolicyFolder!), TimeProvider.System);

    public static async Task<TrainedCluster> StartAsync(short silos, Func<TrainingPlan, Action<SearchPoint>, CancellationToken, TrainingResult> train)
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

    /// <summary>Customers pay each other until there are enough transactions in silos' files, and then it is days later.</summary>
    public async Task RecordAsync(int transactions)
    {
        var accounts = Enumerable.Range(0, Accounts).Select(i => Cluster.Client.GetGrain<IAccountGrain>($"a{i}")).ToArray();
        foreach (var account in accounts) await account.Deposit(1_000_000);
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        for (var batch = 0; Recorded() < transactions; batch++)
        {
            patience.Token.ThrowIfCancellationRequested();
            await Task.WhenAll(Enumerable.Range(0, 60).Select(i => Cluster.Client.GetGrain<IAtmGrain>(i % 8).Transfer(accounts[(batch + i) % Accounts], accounts[(batch + i + 1 + (i % 3)) % Accounts], 1)));
        }

        _time.MoveTo(DateTimeOffset.UtcNow.AddDays(4));
    }

    /// <summary>Waits until a silo has put a release in force.</summary>
    public async Task<string> TakenAsync(InProcessSiloHandle silo)
    {
        var change = await _changes[silo].ReadAsync();
        Assert.Equal(PolicyChangeKind.Taken, change.Kind);
        return change.Policy;
    }

    public async ValueTask DisposeAsync()
    {
        if (Cluster is not null) await Cluster.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>A verdict that is the test's: what was searched is real.</summary>
    public static TrainingResult Judged(TrainingResult result, bool isBetter) => result with { Trial = result.Trial with { Scores = [.. result.Trial.Scores.Select(score => score * (isBetter ? 100 : 0.01))] } };

    private async Task DeployAsync(short silos)
    {
        var trainer = new TrainerSettings
        {
            // Windows of a day, so that hardly ever one ends in the middle of a recording.
            Enabled = true, StateFolder = Path.Combine(_folder, "state"), Window = TimeSpan.FromDays(1), FirstAfterWindows = 1, Clients = 12, CheckInterval = TimeSpan.FromMilliseconds(200),
        };
        SettingsCheck.Validate(_settings, trainer);
        var builder = new InProcessTestClusterBuilder(silos);
        builder.ConfigureSilo((_, silo) =>
        {
            silo.ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.Warning));
            silo.Services.AddSingleton<TrainerFactory>(services => new SmallTrainer(this, trainer, services.GetRequiredService<ITraceSource>(), services.GetRequiredService<IPolicyEntries>(), services.GetRequiredService<ILoggerFactory>()));
            silo.UsePolyjuice().FollowPolicies(_settings).AddTraces(_settings).AddTrainer(_settings, trainer);
            silo.Services.Configure<PublishedPoliciesOptions>(options => options.PollInterval = TimeSpan.FromMilliseconds(100));
        });
        Cluster = builder.Build();
        await Cluster.DeployAsync();
        foreach (var silo in Cluster.Silos)
        {
            var changes = Channel.CreateUnbounded<PolicyChange>();
            silo.ServiceProvider.GetRequiredService<PolicyFollower>().Changed += change => changes.Writer.TryWrite(change);
            _changes.Add(silo, changes.Reader);
        }
    }

    private int Recorded()
    {
        if (!Directory.Exists(_settings.TraceFolder)) return 0;
        var files = Directory.GetFiles(_settings.TraceFolder, "*" + TraceFile.Extension).Where(file => new FileInfo(file).Length > 0).ToList();
        return files.Count < Cluster.Silos.Count ? 0 : TraceFile.Read(files, CancellationToken.None).Trace.Transactions.Length;
    }

    private sealed class SmallTrainer(TrainedCluster cluster, TrainerSettings settings, ITraceSource traces, IPolicyEntries entries, ILoggerFactory loggers) : TrainerFactory(settings, traces, entries, loggers)
    {
        protected override TrainerService Open(TrainerOptions options, ITraceSource source, PolicyRepository repository, ILogger<TrainerService> logger) => new(
            options with { Settings = options.Settings with { Warmup = 20, Measured = 60 }, Budget = new SearchBudget(TimeSpan.FromHours(1), 40), TrialReplays = 4 },
            source, repository, cluster._time, logger, cluster._train);
    }
}
