using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Diagnostics;
using Polyjuice.Engine;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Groups;
using Polyjuice.Orleans.Health;
using Polyjuice.Orleans.Outboxes;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.States;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Policies;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// A silo's transactions: its engines, and what there is one of for all of them. It builds the parts, and starts and
/// ends them with the silo. Thread-safe.
/// </summary>
internal sealed class PolyjuiceSilo
    : ILifecycleParticipant<ISiloLifecycle>, IObservedSilo, IFollowedEngines, IAsyncDisposable
{
    private readonly IServiceProvider _services;
    private readonly PolyjuiceOptions _options;
    private readonly PolicyStore _policies;
    private readonly OpenTransactions _open;
    private readonly ILoggerFactory _loggers;
    private readonly ILogger _logger;
    private readonly SiloLife _life = new();
    private readonly SiloDrain _drain;
    private readonly ReadinessLook _readiness;
    private readonly SiloEngine[] _engines;

    public PolyjuiceSilo(
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
        _logger = loggers.CreateLogger("Polyjuice.Orleans");

        Self = new SiloIdentity(silo.SiloAddress);
        Limits = new SiloLimits(_options, messaging.Value.ResponseTimeout);
        Logs = new SiloLogs(Self, _options.LogProvider, services, _logger);
        Places = new GrainPlaces(Logs, groups);
        Mail = new SiloMail(Self);
        var others = new SiloServices(services);
        var shared = new SiloParts
        {
            Self = Self,
            Life = _life,
            Options = _options,
            Limits = Limits,
            Hints = new ReentrancyHints(_logger),
            Logs = Logs,
            Groups = groups,
            Places = Places,
            Services = others,
            Mail = Mail,
            Wakes = new RowWakes(_life, others, _logger),
            Logger = _logger,
            Clock = services.GetKeyedService<TimeProvider>(TransactionTimeProviderNames.Transactions),
        };
        _engines = [.. Enumerable.Range(0, _options.EnginesPerSilo).Select(number => new SiloEngine(number, shared))];

        // What looks at all of them.
        Membership = new MembershipFollower(Self, _life, others, Places, _engines, _logger);
        OwnerSearch = new OwnerSearch(Self, _life, others, Places, _engines, Membership, _logger);
        Reports = new ReportSearch(Self, others, Places, _engines, _logger);
        Traces = new SiloTraces(_engines, _logger);
        Pulse = new EnginePulse(_engines);
        Lanes = new WatchedLanes(_engines);
        _drain = new SiloDrain(Self, Places);
        _readiness = new ReadinessLook(Self, _life, Places, _engines);
    }

    /// <summary>Which silo this is.</summary>
    public SiloIdentity Self { get; }

    /// <summary>Its engines, by number; at least one.</summary>
    public IReadOnlyList<SiloEngine> Engines => _engines;

    // The parts, for who needs several of them. Who needs one takes it from the silo's services.
    public SiloLimits Limits { get; }
    public SiloLogs Logs { get; }
    public SiloTraces Traces { get; }
    public EnginePulse Pulse { get; }
    public WatchedLanes Lanes { get; }
    public GrainPlaces Places { get; }
    public MembershipFollower Membership { get; }
    public OwnerSearch OwnerSearch { get; }
    public ReportSearch Reports { get; }
    public SiloMail Mail { get; }
    public CallsUnderWay Roots => _drain.Roots;

    /// <inheritdoc/>
    public SiloReadiness Readiness => _readiness.Look();

    /// <inheritdoc/>
    public bool HasFailed => _engines.Any(static engine => engine.Life.Opened is { HasFailed: true });

    /// <inheritdoc/>
    public bool HasTransactions =>
        _open.Any || _engines.Any(static engine => engine.Life.Opened is { HasTransactions: true });

    /// <inheritdoc cref="IObservedSilo.Statistics"/>
    public EngineStatistics? Statistics
    {
        get
        {
            // They open one after the other.
            if (_engines[^1].Life.Opened is not { } last) return null;
            return _engines.Length == 1
                ? last.Statistics
                : EngineStatistics.Sum(_engines.Select(static engine => engine.Life.Opened!.Statistics));
        }
    }

    /// <inheritdoc/>
    string IFollowedEngines.Name => Self.Silo.ToString();

    /// <inheritdoc/>
    ILogNotes? IFollowedEngines.Notes => Logs.Store as ILogNotes;

    /// <inheritdoc/>
    public SiloAddress? OwnerOf(GrainId grain) => Places.OwnerOf(grain);

    /// <inheritdoc/>
    public void SwapPolicy(string nameOrPath) => _policies.Swap(PolicySource.Load(nameOrPath));

    /// <inheritdoc/>
    public void StartTrace(TraceRecorderOptions options, ITraceSink sink) => Traces.Start(options, sink);

    /// <inheritdoc/>
    public Task<TraceCounts> StopTraceAsync() => Traces.StopAsync();

    /// <inheritdoc/>
    void ILifecycleParticipant<ISiloLifecycle>.Participate(ISiloLifecycle lifecycle)
    {
        lifecycle.Subscribe(
            nameof(PolyjuiceSilo), ServiceLifecycleStage.RuntimeStorageServices, OpenAsync, CloseAsync);
        lifecycle.Subscribe(
            nameof(PolyjuiceSilo), ServiceLifecycleStage.BecomeActive, static _ => Task.CompletedTask,
            _drain.DrainAsync);
        lifecycle.Subscribe(nameof(PolyjuiceSilo), ServiceLifecycleStage.Active, ServeAsync);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await CloseAsync(CancellationToken.None).ConfigureAwait(false);

    private async Task OpenAsync(CancellationToken cancellationToken)
    {
        var logs = await Logs.OpenAsync(cancellationToken).ConfigureAwait(false);
        Places.View = ClusterView.Empty(logs.PartitionCount);
        foreach (var engine in _engines) engine.Partitions.Open(logs.PartitionCount);
        TransactionContext.Use(static () => CallScope.Current?.Frame);
        var exceptions = _services.GetRequiredService<AbortExceptionFactory>();
        var meters = _services.GetService<IMeterFactory>();
        var logger = _loggers.CreateLogger("Polyjuice.Engine");
        var measured = new MeasuredEngines();
        foreach (var engine in _engines)
        {
            engine.Open(self => new TransactionEngine(
                self.Node, _options.Engine, self.Host, logs, _policies, exceptions, logger,
                metrics: parts => new EngineMetrics(parts, _policies, meters, measured))
            {
                WatchedClass = nameof(OutboxLane),
            });
        }

        _open.Load = Load;
        if (_options.TraceSink is { } sink) Traces.StartConfigured(_options.Trace, sink);
    }

    private async Task ServeAsync(CancellationToken cancellationToken)
    {
        // Without flow: what runs for as long as the silo does belongs to no caller.
        using (ExecutionContext.SuppressFlow())
        {
            _ = Task.Run(Membership.FollowAsync, CancellationToken.None);
            _ = Task.Run(Membership.FollowManifestsAsync, CancellationToken.None);
            foreach (var engine in _engines) _ = Task.Run(engine.TakeOvers.CheckAsync, CancellationToken.None);
        }

        var settled = Task.WhenAll(
            _engines.Select(static engine => engine.TakeOvers.WhenSettledOrUnusableAsync()));
        foreach (var outcome in await settled.WaitAsync(_options.TakeOverTimeout, cancellationToken)
            .ConfigureAwait(false))
            await outcome.ConfigureAwait(false);
        _readiness.Served();
        HostLog.Started(_logger, Self.Silo, Self.Node, _engines.Length, Logs.Partitions, _policies.Current.Name);
    }

    private async Task CloseAsync(CancellationToken cancellationToken)
    {
        if (!_life.Close()) return;
        if (_engines[0].Life.Opened is not null)
        {
            var tracesWritten = Task.WhenAll([.. _engines.Select(static engine => engine.Stop())]);
            if (!cancellationToken.IsCancellationRequested) await _drain.AnswerAsync().ConfigureAwait(false);
            await tracesWritten.ConfigureAwait(false);
            HostLog.Stopped(_logger, Self.Silo, Self.Node);
        }

        foreach (var engine in _engines) engine.Turn.Dispose();
        await Logs.CloseAsync().ConfigureAwait(false);
    }

    // Read on other threads.
    private EngineLoad Load()
    {
        var sum = default(EngineLoad);
        foreach (var engine in _engines)
        {
            if (engine.Life.Opened is { Load: var load })
                sum = new(sum.Held + load.Held, sum.Waits + load.Waits, sum.Known + load.Known);
        }

        return sum;
    }
}
