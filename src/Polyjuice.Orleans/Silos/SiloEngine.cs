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
    private ILogStore? _logs;
    private LogPlace? _place;
    private TransactionEngine? _engine;

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
        Silo = silo.SiloAddress;
        Node = NodeIds.Of(Silo);
        _options = options.Value;
        _policies = policies;
        _open = open;
        _groups = groups;
        _services = services;
        _loggers = loggers;
        _logger = loggers.CreateLogger("Polyjuice.Orleans");
        ResponseTimeout = messaging.Value.ResponseTimeout;
        Turn = new EngineTurn(_logger, services.GetKeyedService<TimeProvider>(TransactionTimeProviderNames.Transactions)) { Flush = FlushEngine, AfterFlush = Deliver };
    }

    /// <summary>This silo.</summary>
    public SiloAddress Silo { get; }

    /// <summary>This silo as a node.</summary>
    public NodeId Node { get; }

    /// <summary>The engine's turn.</summary>
    public EngineTurn Turn { get; }

    /// <summary>The engine; on its turn only.</summary>
    /// <exception cref="InvalidOperationException">The silo has not got as far.</exception>
    public TransactionEngine Engine => _engine ?? throw new InvalidOperationException($"{Silo} has not opened its transaction logs yet.");

    /// <summary>Whether methods without <see cref="ReconnaissanceAttribute"/> may be run dry, too.</summary>
    public bool DryRunsByDefault => _options.Engine.DryRunsByDefault;

    /// <summary>How long callers wait for answers by default.</summary>
    public TimeSpan ResponseTimeout { get; }

    /// <summary>Number of log partitions.</summary>
    public int Partitions => _logs?.PartitionCount ?? throw new InvalidOperationException($"{Silo} has not opened its transaction logs yet.");

    /// <summary>The logs; <see langword="null"/> until the silo has opened them.</summary>
    public ILogStore? LogStore => _logs;

    /// <summary>Where the logs are.</summary>
    /// <exception cref="InvalidOperationException">The silo has not got as far.</exception>
    public LogPlace Logs => _place ?? throw new InvalidOperationException($"{Silo} has not opened its transaction logs yet.");

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
        var provider = _services.GetKeyedService<ILogStoreProvider>(_options.LogProvider);
        if (provider is null)
        {
            if (_options.LogProvider != PolyjuiceOptions.DefaultLogProvider)
                throw new OrleansConfigurationException($"PolyjuiceOptions.LogProvider is '{_options.LogProvider}', and no logs of that name were added to the silo.");
            HostLog.MemoryOnly(_logger);
            provider = _services.GetRequiredService<MemoryLogProvider>();
        }

        _logs = await provider.OpenAsync(cancellationToken).ConfigureAwait(false);
        _place = new(_logs.Identity, _logs.Open(0).Location is { Length: > 0 } location ? location : $"the memory of process {Environment.ProcessId} on {Environment.MachineName}");
        _view = ClusterView.Empty(_logs.PartitionCount);
        _serving = [.. Enumerable.Range(0, _logs.PartitionCount).Select(_ => new PartitionState())];
        TransactionContext.Use(static () => Calls.CallScope.Current?.Frame);
        using (Turn.Enter())
        {
            _engine = new TransactionEngine(
                Node, _options.Engine, this, _logs, _policies, _services.GetRequiredService<AbortExceptionFactory>(),
                _loggers.CreateLogger("Polyjuice.Engine"), _services.GetService<IMeterFactory>())
            {
                WatchedClass = nameof(Outboxes.OutboxLane),
            };
            _open.Load = () => _engine.Load;
            if (_options.TraceSink is { } sink)
            {
                SayUnwritable(sink);
                StartTrace(_engine, _options.Trace, sink);
            }
        }
    }

    private async Task CloseAsync(CancellationToken cancellationToken)
    {
        _stopping.Cancel();
        if (Interlocked.Exchange(ref _isClosed, true)) return;
        if (_engine is { } engine)
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
        if (_logs is IAsyncDisposable asynchronous) await asynchronous.DisposeAsync().ConfigureAwait(false);
        else (_logs as IDisposable)?.Dispose();
    }

    private readonly CancellationTokenSource _stopping = new();
    private bool _isClosed;
}
