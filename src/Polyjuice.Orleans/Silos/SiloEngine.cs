using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Groups;
using Polyjuice.Orleans.Health;
using Polyjuice.Orleans.Outboxes;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.States;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Orleans.Turns;
using Polyjuice.Policies;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Silos;

/// <summary>One silo's engine: its turn, its logs, its place in the cluster. Thread-safe where it doesn't say otherwise.</summary>
internal sealed partial class SiloEngine : ILifecycleParticipant<ISiloLifecycle>, IAsyncDisposable
{
    private readonly IServiceProvider _services;
    private readonly PolyjuiceOptions _options;
    private readonly PolicyStore _policies;
    private readonly OpenTransactions _open;
    private readonly TransactionGroups _groups;
    private readonly ILoggerFactory _loggers;
    private readonly ILogger _logger;
    private readonly EngineLife _life;
    private readonly SiloServices _silo;
    private readonly PartitionTakeOvers _takeOvers;
    private readonly RowWakes _rowWakes;

    public SiloEngine(
        ILocalSiloDetails silo,
        IOptions<PolyjuiceOptions> options,
        IOptions<SiloMessagingOptions> messaging,
        PolicyStore policies,
        OpenTransactions open,
        TransactionGroups groups,
        IServiceProvider services,
        ILoggerFactory loggers)
    {
        Self = new SiloIdentity(silo.SiloAddress);
        _life = new EngineLife(Self);
        _silo = new SiloServices(services);
        _options = options.Value;
        _policies = policies;
        _open = open;
        _groups = groups;
        _services = services;
        _loggers = loggers;
        _logger = loggers.CreateLogger("Polyjuice.Orleans");
        Logs = new SiloLogs(Self, _options.LogProvider, services, _logger);
        Turn = new EngineTurn(_logger, services.GetKeyedService<TimeProvider>(TransactionTimeProviderNames.Transactions)) { Flush = FlushEngine, AfterFlush = Deliver };
        Limits = new SiloLimits(_options, messaging.Value.ResponseTimeout);
        Places = new GrainPlaces(Logs, groups);
        Partitions = new ServedPartitions(Self, Turn, _life, Places, _options);
        _takeOvers = new PartitionTakeOvers(Self, Turn, _life, Places, Partitions, _logger);
        Membership = new MembershipFollower(Turn, _life, _silo, Places, _takeOvers, _logger);
        OwnerSearch = new OwnerSearch(Self, _life, _silo, Places, Partitions, Membership, _logger);
        Loads = new GrainLoads(Turn, _life, _silo, _logger);
        HiddenStates = new HiddenStates(Turn, _life, Logs, Places);
        Rows = new ServedRows(Self, Turn, _life, Places, Partitions, HiddenStates, _options, _logger);
        _rowWakes = new RowWakes(_life, _silo, _logger);
        GrainTurns = new GrainTurns(Turn, _life);
        Reports = new KeptReports(Turn, _life);
        ReportSearch = new ReportSearch(Self, _silo, Places, _logger);
        Hints = new ReentrancyHints(_logger);
        Traces = new SiloTraces(Self, Turn, _life, _logger);
        Pulse = new EnginePulse(Turn);
        Lanes = new WatchedLanes(Turn, _life);
    }

    /// <summary>Which silo this is.</summary>
    public SiloIdentity Self { get; }

    /// <summary>This silo.</summary>
    public SiloAddress Silo => Self.Silo;

    /// <summary>This silo as a node.</summary>
    public NodeId Node => Self.Node;

    /// <summary>The engine's turn.</summary>
    public EngineTurn Turn { get; }

    /// <inheritdoc cref="EngineLife.Engine"/>
    public TransactionEngine Engine => _life.Engine;

    /// <summary>The logs.</summary>
    public SiloLogs Logs { get; }

    /// <summary>How long things may take.</summary>
    public SiloLimits Limits { get; }

    /// <summary>Where grains belong.</summary>
    public GrainPlaces Places { get; }

    /// <summary>The log partitions as this silo serves them.</summary>
    public ServedPartitions Partitions { get; }

    /// <summary>What follows the cluster's membership.</summary>
    public MembershipFollower Membership { get; }

    /// <summary>What finds where grains belong that were sent here.</summary>
    public OwnerSearch OwnerSearch { get; }

    /// <summary>What has grains activated.</summary>
    public GrainLoads Loads { get; }

    /// <summary>What refuses states that are elsewhere than they are looked for.</summary>
    public HiddenStates HiddenStates { get; }

    /// <summary>States in rows of their own.</summary>
    public ServedRows Rows { get; }

    /// <summary>Turns of grains that run one call at a time.</summary>
    public GrainTurns GrainTurns { get; }

    /// <summary>Reports of other silos' calls.</summary>
    public KeptReports Reports { get; }

    /// <summary>What finds the reports of this silo's calls.</summary>
    public ReportSearch ReportSearch { get; }

    /// <summary>What is said of grain classes that are not reentrant.</summary>
    public ReentrancyHints Hints { get; }

    /// <summary>Recordings.</summary>
    public SiloTraces Traces { get; }

    /// <summary>Whether the turn gets on.</summary>
    public EnginePulse Pulse { get; }

    /// <summary>Lanes of the outbox.</summary>
    public WatchedLanes Lanes { get; }

    /// <summary>For what belongs to this host.</summary>
    public ILogger Logger => _logger;

    /// <inheritdoc/>
    void ILifecycleParticipant<ISiloLifecycle>.Participate(ISiloLifecycle lifecycle)
    {
        lifecycle.Subscribe(nameof(SiloEngine), ServiceLifecycleStage.RuntimeStorageServices, OpenAsync, CloseAsync);
        lifecycle.Subscribe(nameof(SiloEngine), ServiceLifecycleStage.BecomeActive, static _ => Task.CompletedTask, DrainAsync);
        lifecycle.Subscribe(nameof(SiloEngine), ServiceLifecycleStage.Active, ServeAsync);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await CloseAsync(CancellationToken.None).ConfigureAwait(false);

    private async Task OpenAsync(CancellationToken cancellationToken)
    {
        var logs = await Logs.OpenAsync(cancellationToken).ConfigureAwait(false);
        Places.View = ClusterView.Empty(logs.PartitionCount);
        Partitions.Open(logs.PartitionCount);
        TransactionContext.Use(static () => CallScope.Current?.Frame);
        using (Turn.Enter())
        {
            var engine = new TransactionEngine(
                Node, _options.Engine, this, logs, _policies, _services.GetRequiredService<AbortExceptionFactory>(),
                _loggers.CreateLogger("Polyjuice.Engine"), _services.GetService<IMeterFactory>())
            {
                WatchedClass = nameof(OutboxLane),
            };
            _life.Open(engine);
            _open.Load = () => engine.Load;
            if (_options.TraceSink is { } sink) Traces.StartConfigured(_options.Trace, sink);
        }
    }

    private async Task ServeAsync(CancellationToken cancellationToken)
    {
        // Without flow: what runs for as long as the silo does belongs to no caller.
        using (ExecutionContext.SuppressFlow())
        {
            _ = Task.Run(Membership.FollowAsync, CancellationToken.None);
            _ = Task.Run(_takeOvers.CheckAsync, CancellationToken.None);
        }

        var settled = _takeOvers.WhenSettledOrUnusableAsync().WaitAsync(_options.TakeOverTimeout, cancellationToken);
        await (await settled.ConfigureAwait(false)).ConfigureAwait(false);
        _hasServed = true;
        HostLog.Started(_logger, Silo, Node, Logs.Partitions, _policies.Current.Name);
    }

    private async Task CloseAsync(CancellationToken cancellationToken)
    {
        if (!_life.Close()) return;
        if (_life.Opened is { } engine)
        {
            Task traceWritten;
            using (Turn.Enter())
            {
                engine.Stop();
                traceWritten = engine.StopTraceAsync();
            }

            Deliver();
            if (!cancellationToken.IsCancellationRequested) await AnswerAsync().ConfigureAwait(false);
            await traceWritten.ConfigureAwait(false);
            HostLog.Stopped(_logger, Silo, Node);
        }

        Turn.Dispose();
        await Logs.CloseAsync().ConfigureAwait(false);
    }
}
