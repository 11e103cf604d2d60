using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Publishing;
using Polyjuice.Tracing;
using Polyjuice.Training.Service.Forecasting;

namespace Polyjuice.Lab.Experiments.Trained;

/// <summary>
/// Has the silos of a cluster in this process train tables themselves, in folders that are deleted afterwards. Releases
/// are signed, and silos sign what they take back.
/// </summary>
internal sealed class SiloTrainer : IDisposable
{
    private const int TrialReplays = 8;

    private static readonly TimeSpan _lookInterval = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan _trial = TimeSpan.FromSeconds(20);

    private readonly string _folder = Directory.CreateTempSubdirectory("polyjuice-trained-").FullName;
    private readonly PolicySigningKey _publisher = PolicySigningKey.Generate();
    private readonly PolicySigningKey _silos = PolicySigningKey.Generate();

    /// <summary>What was published, and taken back, so far.</summary>
    public Task<PolicyHistory> ReadAsync() => new PolicyRepository(
        new FilePolicyEntries(Policies), TimeProvider.System,
            new PolicyTrust([_publisher.Verification], [_silos.Verification])).ReadAsync();

    private string Policies => Path.Combine(_folder, "policies");

    /// <summary>A shape like another, with the trainer.</summary>
    /// <param name="plan">Its cluster and its clients.</param>
    /// <param name="settings">How the trainer works.</param>
    public ClusterShape AddTo(BenchmarkPlan plan, TrainedShiftsSettings settings) =>
        plan.Shape with { ConfigureSilo = silo => Configure(silo, plan, settings) };

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private void Configure(ISiloBuilder silo, BenchmarkPlan plan, TrainedShiftsSettings settings)
    {
        silo.Configure<PolyjuiceOptions>(options =>
        {
            options.TraceSink = new FileTraceSink(Path.Combine(_folder, "traces"));
            options.PolicyCompiler = settings.Start;
        });
        silo.AddFilePolicyStore(Policies, options =>
        {
            options.PublisherKeys.Add(_publisher.Verification.ToPem());
            options.RollbackKeys.Add(_silos.Verification.ToPem());
            options.SigningKey = _silos.ToPem();
            (options.PollInterval, options.Trial, options.Baseline) = (_lookInterval, _trial, _trial);
        });
        silo.AddTrainer(options =>
        {
            options.StateFolder = Path.Combine(_folder, "state");
            options.SigningKey = _publisher.ToPem();
            options.MessageTime = plan.Shape.NetworkLatency;
            options.AppendTime = plan.Shape.AppendLatency;
            options.Silos = plan.Shape.Silos;
            options.Clients = plan.Clients;
            options.Forecast = ForecastKind.Now;
            options.Window = settings.Window;
            options.Budget = settings.Budget;
            options.ReplayTransactions = settings.ReplayTransactions;
            options.TrialReplays = TrialReplays;
            options.LookInterval = options.CheckInterval = _lookInterval;
            options.KeepTraces = TimeSpan.FromMinutes(2);
        });
    }
}
