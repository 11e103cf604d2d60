using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Transactions;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// How many transactions may be open on this silo at a time: as many as keep its processors busy. More of them take turns without more getting done, and each takes longer, until many are given up for their time after
/// most of their work. The others wait here, in the order in which they came, and cost nothing.
/// </summary>
/// <remarks>
/// The bound goes by what waits for a processor, as CockroachDB's admission control does: where much waits, it is lowered a little, and where processors are free although transactions wait here, it is raised. So a silo
/// whose transactions wait for logs or for each other opens as many as that takes. Thread-safe.
/// </remarks>
internal sealed class OpenTransactions : IDisposable
{
    private static readonly TimeSpan _lookInterval = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan _countInterval = TimeSpan.FromMilliseconds(250);
    private const double Crowded = 32;
    private const double Free = 8;

    // For each processor. Uniform load still gains from so many, and the bound moves only while others wait.
    private const int First = 256;

    private readonly Lock _gate = new();
    private readonly LinkedList<Waiting> _waiting = [];
    private readonly Func<double> _pending;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly Meter _meter = new("Polyjuice");
    private readonly TimeSpan _patience;
    private readonly int _least;
    private readonly bool _adapts;
    private int _open;
    private double _perSecond;
    private long _countedSince;
    private int _ended;
    private long _refused;

    [ActivatorUtilitiesConstructor]
    public OpenTransactions(IOptions<PolyjuiceOptions> options) : this(options, Environment.ProcessorCount, PendingPerProcessor, TimeProvider.System)
    {
    }

    /// <param name="options">Bounds.</param>
    /// <param name="processors">How many there are.</param>
    /// <param name="pending">Work items that wait for a processor, for each of them.</param>
    /// <param name="time">For how long is waited.</param>
    internal OpenTransactions(IOptions<PolyjuiceOptions> options, int processors, Func<double> pending, TimeProvider time)
    {
        var fixedAt = options.Value.OpenTransactions;
        _adapts = fixedAt == 0;
        _least = 4 * processors;
        Limit = _adapts ? First * processors : fixedAt;
        _patience = options.Value.StartWait;
        _pending = pending;
        _time = time;
        _timer = time.CreateTimer(static state => ((OpenTransactions)state!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _meter.CreateObservableGauge("polyjuice.transactions.open", () => Open, "{transaction}", "Transactions that are open.");
        _meter.CreateObservableGauge("polyjuice.transactions.limit", () => Limit, "{transaction}", "Transactions that may be open at a time.");
        _meter.CreateObservableGauge("polyjuice.transactions.waiting", () => Held, "{transaction}", "Transactions that wait to begin.");
        _meter.CreateObservableCounter("polyjuice.transactions.refused", () => Volatile.Read(ref _refused), "{transaction}", "Transactions that would have waited for too long, or had.");
    }

    /// <summary>The bound at this moment.</summary>
    public int Limit { get; private set; }

    /// <summary>Transactions that are open.</summary>
    public int Open
    {
        get
        {
            lock (_gate) return _open;
        }
    }

    /// <summary>Transactions that wait to begin.</summary>
    public int Held
    {
        get
        {
            lock (_gate) return _waiting.Count;
        }
    }

    /// <summary>Completes when a transaction may begin; <see cref="Leave"/> must follow.</summary>
    /// <param name="mayWait">Whether it may be told to wait. One that others wait for must not be.</param>
    /// <param name="cancellationToken">Its caller waits no longer.</param>
    /// <exception cref="OrleansStartTransactionFailedException">It would have to wait for too long, or has.</exception>
    public ValueTask EnterAsync(bool mayWait, CancellationToken cancellationToken)
    {
        Waiting waiting;
        lock (_gate)
        {
            if (!mayWait || (_open < Limit && _waiting.Count == 0))
            {
                _open++;
                return ValueTask.CompletedTask;
            }

            if (_perSecond > 0 && _waiting.Count / _perSecond > _patience.TotalSeconds) return ValueTask.FromException(Overloaded());
            waiting = new(_time.GetTimestamp());
            waiting.Node = _waiting.AddLast(waiting);
            if (_waiting.Count == 1) Begin();
        }

        return new(WaitAsync(waiting, cancellationToken));
    }

    /// <summary>A transaction has ended.</summary>
    public void Leave()
    {
        lock (_gate)
        {
            _open--;
            _ended++;
            if (_waiting.Count > 0) LetIn();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _timer.Dispose();
        _meter.Dispose();
    }

    private async Task WaitAsync(Waiting waiting, CancellationToken cancellationToken)
    {
        await using var cancelled = cancellationToken.UnsafeRegister(
            static (state, token) =>
            {
                var (open, waiting) = ((OpenTransactions, Waiting))state!;
                if (open.TryRemove(waiting)) waiting.Begin.TrySetCanceled(token);
            },
            (this, waiting));
        await waiting.Begin.Task;
    }

    private bool TryRemove(Waiting waiting)
    {
        lock (_gate)
        {
            if (waiting.Node is not { } node) return false;
            Remove(node);
            return true;
        }
    }

    private void Remove(LinkedListNode<Waiting> node)
    {
        node.Value.Node = null;
        _waiting.Remove(node);
        if (_waiting.Count == 0) _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    // What ended while nobody waited says nothing of how fast the queue moves.
    private void Begin()
    {
        (_countedSince, _ended, _perSecond) = (_time.GetTimestamp(), 0, 0);
        _timer.Change(_lookInterval, _lookInterval);
    }

    // While transactions wait.
    private void Look()
    {
        List<Waiting>? late = null;
        lock (_gate)
        {
            Count();
            Adapt();
            LetIn();
            while (_waiting.First is { } first && _time.GetElapsedTime(first.Value.Since) >= _patience)
            {
                (late ??= []).Add(first.Value);
                Remove(first);
            }
        }

        foreach (var waiting in late ?? []) waiting.Begin.TrySetException(Overloaded());
    }

    private void Adapt()
    {
        if (!_adapts) return;
        var pending = _pending();

        // What is open beyond the bound has still to leave before that can show.
        if (pending >= Crowded && _open <= Limit) Limit = Math.Max(_least, Limit - Math.Max(1, Limit / 16));
        else if (pending < Free && _open >= Limit) Limit += Math.Max(1, Limit / 16);
    }

    // How fast the queue moves, for who would come too late.
    private void Count()
    {
        var elapsed = _time.GetElapsedTime(_countedSince);
        if (elapsed < _countInterval) return;
        var rate = _ended / elapsed.TotalSeconds;
        _perSecond = _perSecond == 0 ? rate : (_perSecond + rate) / 2;
        (_countedSince, _ended) = (_time.GetTimestamp(), 0);
    }

    private void LetIn()
    {
        while (_open < Limit && _waiting.First is { } first)
        {
            Remove(first);
            _open++;
            first.Value.Begin.TrySetResult();
        }
    }

    private OrleansStartTransactionFailedException Overloaded()
    {
        Interlocked.Increment(ref _refused);
        return new(new OrleansTransactionOverloadException());
    }

    private static double PendingPerProcessor() => (double)ThreadPool.PendingWorkItemCount / Environment.ProcessorCount;

    private sealed class Waiting(long since)
    {
        public long Since => since;

        public TaskCompletionSource Begin { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        /// <summary>Its place while it waits.</summary>
        public LinkedListNode<Waiting>? Node { get; set; }
    }
}
