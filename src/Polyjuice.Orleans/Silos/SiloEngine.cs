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
using Polyjuice.Orleans.Groups;
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
        ResponseTimeout = messaging.Value.ResponseTimeout;
        Turn = new EngineTurn(_logger, services.GetKeyedService<TimeProvider>(TransactionTimeProviderNames.Transactions)) { Flush = FlushEngine, AfterFlush = Deliver };
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

    /// <summary>Whether methods without <see cref="ReconnaissanceAttribute"/> may be run dry, too.</summary>
    public bool DryRunsByDefault => _options.Engine.DryRunsByDefault;

    /// <summary>How long callers wait for answers by default.</summary>
    public TimeSpan ResponseTimeout { get; }

    /// <summary>The logs.</summary>
    public SiloLogs Logs { get; }

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
        _view = ClusterView.Empty(logs.PartitionCount);
        _serving = [.. Enumerable.Range(0, logs.PartitionCount).Select(_ => new PartitionState())];
        TransactionContext.Use(static () => Calls.CallScope.Current?.Frame);
        using (Turn.Enter())
        {
            var engine = new TransactionEngine(
                Node, _options.Engine, this, logs, _policies, _services.GetRequiredService<AbortExceptionFactory>(),
                _loggers.CreateLogger("Polyjuice.Engine"), _services.GetService<IMeterFactory>())
            {
                WatchedClass = nameof(Outboxes.OutboxLane),
            };
            _life.Open(engine);
            _open.Load = () => engine.Load;
            if (_options.TraceSink is { } sink)
            {
                SayUnwritable(sink);
                StartTrace(engine, _options.Trace, sink);
            }
        }
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
