using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Engine;
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
using Polyjuice.Publishing.Following;
using Polyjuice.Storage;
using Polyjuice.Tracing;
using Polyjuice.Wire;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// One silo's engine. It builds the parts around it, and starts and ends them with the silo. Thread-safe where it
/// doesn't say otherwise.
/// </summary>
/// <remarks>
/// A part knows only parts that were built before it. The turn and the engine call back: the turn through what it runs
/// at its end, which is set here; the engine through <see cref="IEngineHost"/>.
/// </remarks>
internal sealed class SiloEngine
    : ILifecycleParticipant<ISiloLifecycle>, IPolyjuiceSilo, IFollowedEngines, IAsyncDisposable
{
    private readonly IServiceProvider _services;
    private readonly PolyjuiceOptions _options;
    private readonly PolicyStore _policies;
    private readonly OpenTransactions _open;
    private readonly ILoggerFactory _loggers;
    private readonly EngineLife _life;
    private readonly PartitionTakeOvers _takeOvers;
    private readonly SiloEngineHost _host;
    private readonly SiloDrain _drain;
    private readonly ReadinessLook _readiness;

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
        _options = options.Value;
        _policies = policies;
        _open = open;
        _services = services;
        _loggers = loggers;
        Logger = loggers.CreateLogger("Polyjuice.Orleans");

        Self = new SiloIdentity(silo.SiloAddress);
        Turn = new EngineTurn(
            Logger, services.GetKeyedService<TimeProvider>(TransactionTimeProviderNames.Transactions));
        _life = new EngineLife(Self);
        Limits = new SiloLimits(_options, messaging.Value.ResponseTimeout);
        Hints = new ReentrancyHints(Logger);
        Logs = new SiloLogs(Self, _options.LogProvider, services, Logger);
        Traces = new SiloTraces(Self, Turn, _life, Logger);
        Pulse = new EnginePulse(Turn);
        Lanes = new WatchedLanes(Turn, _life);
        GrainTurns = new GrainTurns(Turn, _life);
        Reports = new KeptReports(Turn, _life);
        Places = new GrainPlaces(Logs, groups);

        // What serves the silo's share of the states.
        var others = new SiloServices(services);
        Partitions = new ServedPartitions(Self, Turn, _life, Places, _options);
        _takeOvers = new PartitionTakeOvers(Self, Turn, _life, Places, Partitions, Logger);
        Membership = new MembershipFollower(Turn, _life, others, Places, _takeOvers, Logger);
        OwnerSearch = new OwnerSearch(Self, _life, others, Places, Partitions, Membership, Logger);
        HiddenStates = new HiddenStates(Turn, _life, Logs, Places);
        Rows = new ServedRows(Self, Turn, _life, Places, Partitions, HiddenStates, _options, Logger);

        // What goes to other grains and silos.
        ReportSearch = new ReportSearch(Self, others, Places, Logger);
        Loads = new GrainLoads(Turn, _life, others, Logger);
        var wakes = new RowWakes(_life, others, Logger);
        Mail = new EngineMail(Self, Turn, _life, others, Places, Logger);
        _host = new SiloEngineHost(Self, Turn, _life, Places, groups, Loads, Rows, wakes, Mail);

        _drain = new SiloDrain(Self, Places);
        _readiness = new ReadinessLook(Self, _life, Places, Partitions);
        Turn.Flush = _host.Flush;
        Turn.AfterFlush = Mail.Deliver;
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

    /// <summary>For what belongs to this host.</summary>
    public ILogger Logger { get; }

    // The parts, for who needs several of them. Who needs one takes it from the silo's services.
    public SiloLimits Limits { get; }
    public ReentrancyHints Hints { get; }
    public SiloLogs Logs { get; }
    public SiloTraces Traces { get; }
    public EnginePulse Pulse { get; }
    public WatchedLanes Lanes { get; }
    public GrainTurns GrainTurns { get; }
    public KeptReports Reports { get; }
    public GrainPlaces Places { get; }
    public ServedPartitions Partitions { get; }
    public MembershipFollower Membership { get; }
    public OwnerSearch OwnerSearch { get; }
    public HiddenStates HiddenStates { get; }
    public ServedRows Rows { get; }
    public ReportSearch ReportSearch { get; }
    public GrainLoads Loads { get; }
    public EngineMail Mail { get; }
    public CallsUnderWay Roots => _drain.Roots;

    /// <inheritdoc/>
    public SiloReadiness Readiness => _readiness.Look();

    /// <inheritdoc/>
    public bool HasFailed => _life.Opened is { HasFailed: true };

    /// <inheritdoc/>
    public bool HasTransactions => _open.Any || _life.Opened is { HasTransactions: true };

    /// <inheritdoc cref="IPolyjuiceSilo.Statistics"/>
    public EngineStatistics? Statistics => _life.Opened?.Statistics;

    /// <inheritdoc/>
    string IFollowedEngines.Name => Silo.ToString();

    /// <inheritdoc/>
    ILogNotes? IFollowedEngines.Notes => Logs.Store as ILogNotes;

    /// <inheritdoc/>
    public SiloAddress? OwnerOf(GrainId grain) => Places.OwnerOf(grain);

    /// <inheritdoc/>
    public void StartTrace(TraceRecorderOptions options, ITraceSink sink) => Traces.Start(options, sink);

    /// <inheritdoc/>
    public Task<TraceCounts> StopTraceAsync() => Traces.StopAsync();

    /// <inheritdoc/>
    void ILifecycleParticipant<ISiloLifecycle>.Participate(ISiloLifecycle lifecycle)
    {
        lifecycle.Subscribe(
            nameof(SiloEngine), ServiceLifecycleStage.RuntimeStorageServices, OpenAsync, CloseAsync);
        lifecycle.Subscribe(
            nameof(SiloEngine), ServiceLifecycleStage.BecomeActive, static _ => Task.CompletedTask, _drain.DrainAsync);
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
                Node, _options.Engine, _host, logs, _policies, _services.GetRequiredService<AbortExceptionFactory>(),
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
        _readiness.Served();
        HostLog.Started(Logger, Silo, Node, Logs.Partitions, _policies.Current.Name);
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

            Mail.Deliver();
            if (!cancellationToken.IsCancellationRequested) await _drain.AnswerAsync().ConfigureAwait(false);
            await traceWritten.ConfigureAwait(false);
            HostLog.Stopped(Logger, Silo, Node);
        }

        Turn.Dispose();
        await Logs.CloseAsync().ConfigureAwait(false);
    }
}
