using System.Collections.Concurrent;
using System.Diagnostics;
using Polyjuice.Isolation;
using Polyjuice.Orleans;
using OrleansContext = Orleans.Transactions.TransactionContext;

namespace Polyjuice.Testing;

/// <summary>
/// Records what transactions of the application's own grains see and write, on all silos of one cluster that run in
/// this process, and judges it. Each transactional state is a register, whose values are the numbers of the updates
/// that left them; every update reads what it overwrites, so the order of versions is known. A history grows with every
/// access, by some hundred bytes, for as long as the recorder lives. Thread-safe.
/// </summary>
/// <remarks>
/// Recorded are accesses through <c>ITransactionalState&lt;T&gt;</c>, and neither dry runs nor
/// <c>ITransactionCommitter</c>. An update that is lost shows only if something reads the state afterwards. States that
/// were stored without a recorder can't be read with one, nor the other way round.
/// </remarks>
internal sealed class HistoryRecorder : ITransactionObserver
{
    private readonly ConcurrentQueue<RecordedTransaction> _transactions = new();
    private readonly ConcurrentDictionary<Guid, RecordedAttempt> _attempts = new();
    private readonly ConcurrentQueue<(long Event, long Nanoseconds)> _times = new();
    private readonly long _since = Stopwatch.GetTimestamp();
    private long _lastStamp;
    private long _lastOrder;
    private long _lastEvent;

    /// <summary>Marks states that this recorder has seen written.</summary>
    internal Guid Id { get; } = Guid.NewGuid();

    /// <summary>What was recorded so far. What has not ended has an unknown outcome.</summary>
    public History Build()
    {
        var outcomes = _transactions.ToArray().SelectMany(transaction => transaction.Read());
        var times = _times.ToArray().ToDictionary(time => time.Event, time => time.Nanoseconds);
        return HistoryAssembly.Of(outcomes, at => times.GetValueOrDefault(at));
    }

    /// <summary>Judges what was recorded so far. Takes time in proportion to the history.</summary>
    /// <param name="model">What the engine promises.</param>
    public IsolationReport Judge(ConsistencyModel model = ConsistencyModel.StrictSerializable) =>
        IsolationChecker.Check(Build(), new CheckOptions { Model = model });

    /// <summary>Writes what was recorded so far to a file, which the tool <c>polyjuice check</c> reads.</summary>
    /// <param name="path">Where; what was there is replaced.</param>
    /// <exception cref="IOException">It can't be written.</exception>
    public void Save(string path) => HistoryWriter.Write(path, Build().Operations);

    /// <inheritdoc/>
    ITransactionObservation ITransactionObserver.Begin(string transactionType) => Begin();

    internal RecordedTransaction Begin()
    {
        var transaction = new RecordedTransaction(this, NextEvent());
        _transactions.Enqueue(transaction);
        return transaction;
    }

    internal void Add(Guid transactionId, RecordedAttempt attempt) => _attempts[transactionId] = attempt;

    /// <summary>An access of the ambient transaction begins.</summary>
    /// <returns>
    /// <see langword="null"/> if it is not to be recorded: there is no transaction, or it is a dry run.
    /// </returns>
    internal RecordedStep? Begin(string key)
    {
        if (TransactionContext.IsReconnaissance || OrleansContext.GetTransactionInfo() is not { } info) return null;
        return _attempts.TryGetValue(info.TransactionId, out var attempt) ? attempt.Begin(key) : null;
    }

    internal long? StampOf<T>(Stamped<T> state) where T : class, new() =>
        state.Stamp > 0 && state.Recording == Id ? state.Stamp : null;

    internal long NextStamp() => Interlocked.Increment(ref _lastStamp);

    internal long NextOrder() => Interlocked.Increment(ref _lastOrder);

    /// <summary>
    /// The next moment of the history. Who gets a lower one than
    /// another came before it: real time is judged by this alone.
    /// </summary>
    internal long NextEvent()
    {
        var next = Interlocked.Increment(ref _lastEvent);
        _times.Enqueue((next, (long)Stopwatch.GetElapsedTime(_since).TotalNanoseconds));
        return next;
    }
}
