using Orleans.Transactions;
using Polyjuice.Isolation;
using Polyjuice.Orleans;

namespace Polyjuice.Testing;

/// <summary>One transaction, with all attempts at it. Thread-safe.</summary>
internal sealed class RecordedTransaction(HistoryRecorder recorder, long began) : ITransactionObservation
{
    private readonly Lock _gate = new();
    private readonly List<RecordedAttempt> _attempts = [];
    private Guid _last;
    private long? _ended;
    private TransactionOutcome _outcome = TransactionOutcome.Unknown;

    /// <inheritdoc/>
    public void RunBegins(Guid transactionId)
    {
        lock (_gate)
        {
            if (_attempts.Count > 0 && transactionId == _last)
            {
                _attempts[^1].Restart();
                return;
            }

            // The caller asked for the transaction, and not for its
            // attempts: the first one's beginning stands for that.
            var attempt = new RecordedAttempt(recorder, _attempts.Count == 0 ? began : recorder.NextEvent());
            _attempts.Add(attempt);
            _last = transactionId;
            recorder.Add(transactionId, attempt);
        }
    }

    /// <inheritdoc/>
    public void Ended(Exception? failure) => Ended(failure switch
    {
        null => TransactionOutcome.Committed,
        OrleansTransactionAbortedException => TransactionOutcome.Aborted,
        _ => TransactionOutcome.Unknown,
    });

    /// <summary>The outcome is known.</summary>
    public void Ended(TransactionOutcome outcome)
    {
        lock (_gate)
        {
            if (_ended is not null) return;
            _ended = recorder.NextEvent();
            _outcome = outcome;
        }
    }

    /// <summary>What is known of it now.</summary>
    /// <returns>Attempts without an access are left out.</returns>
    public IEnumerable<RecordedOutcome> Read()
    {
        lock (_gate)
        {
            var outcomes = new List<RecordedOutcome>();
            for (var i = 0; i < _attempts.Count; i++)
            {
                var isLast = i == _attempts.Count - 1;
                var outcome = isLast ? _outcome : TransactionOutcome.Aborted;
                var (steps, dropped) = _attempts[i].Read(outcome == TransactionOutcome.Unknown);
                var (first, end) = (isLast ? began : _attempts[i].Began, isLast ? _ended : _attempts[i + 1].Began);
                if (steps.Count > 0) outcomes.Add(new(first, end, outcome, steps));

                // What nobody may ever see, though the attempt as such may have committed.
                if (dropped.Count > 0) outcomes.Add(new(_attempts[i].Began, end, TransactionOutcome.Aborted, dropped));
            }

            return outcomes;
        }
    }
}

/// <summary>What a history says of one attempt, or of writes that an attempt has dropped.</summary>
/// <param name="Began">When it was asked for, on the recorder's count of events.</param>
/// <param name="Ended">When its end was known, if it is.</param>
/// <param name="Outcome">How it ended.</param>
/// <param name="Steps">What it did.</param>
internal sealed record RecordedOutcome(
    long Began, long? Ended, TransactionOutcome Outcome, IReadOnlyList<MicroOp> Steps);
