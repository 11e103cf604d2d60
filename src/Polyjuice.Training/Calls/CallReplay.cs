using System.ComponentModel.DataAnnotations;
using System.Runtime.ExceptionServices;
using Polyjuice.Contracts;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Calls;

/// <summary>
/// Makes recorded calls again: the application's own grains, the same arguments, on a test cluster, under whatever
/// policy is in force there. What is recorded is only what began transactions; states must be those that the recorded
/// system began with, or near enough. One replay can run several times, but not at once. For one thread at a time.
/// </summary>
/// <remarks>
/// As Polyjuice replays its trace (§7): what the system gives up is made again, so that a table that aborts the
/// expensive transactions is not rewarded for it. Calls are taken in the order of their arrival.
/// </remarks>
internal sealed class CallReplay
{
    private static readonly TimeSpan _releasePeriod = TimeSpan.FromMilliseconds(1);

    private readonly AccessTrace _trace;
    private readonly ICallTarget _target;
    private readonly CallReplayOptions _options;
    private readonly CallSource _source;

    /// <summary>Finds the trace's methods at the target. What is not found there is left out, and said.</summary>
    /// <param name="trace">With calls.</param>
    /// <param name="target">Where they are made.</param>
    /// <param name="options">How; all defaults if not given.</param>
    /// <exception cref="ArgumentException">
    /// The trace has no calls, or they are encoded in another way than the target reads.
    /// </exception>
    /// <exception cref="ValidationException">An option is out of its bounds.</exception>
    public CallReplay(AccessTrace trace, ICallTarget target, CallReplayOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentNullException.ThrowIfNull(target);
        _options = options ?? new CallReplayOptions();
        Validator.ValidateObject(_options, new ValidationContext(_options), validateAllProperties: true);
        if (trace.ArgumentEncoding.Length == 0)
            throw new ArgumentException(
                "The trace has no calls: record it with "
                + $"{nameof(TraceRecorderOptions)}.{nameof(TraceRecorderOptions.RecordsCalls)}, or 'trace "
                + "record --calls'.",
                nameof(trace));
        if (trace.ArgumentEncoding != target.ArgumentEncoding)
            throw new ArgumentException(
                $"The arguments of the trace's calls are encoded as {trace.ArgumentEncoding}, and the target reads "
                + $"{target.ArgumentEncoding}: replay it on the host that has recorded it.",
                nameof(trace));
        (_trace, _target) = (trace, target);
        _source = new CallSource(trace, target, _options.CallsMax);
    }

    /// <summary>Hears of every call that has ended, by one thread at a time; must not throw.</summary>
    public Action<ReplayedCall>? Ended { get; init; }

    /// <summary>
    /// Hears once in each run when a client of a closed loop finds no call that nobody has made yet: from then on there
    /// are fewer clients than were asked for. Must not throw.
    /// </summary>
    public Action? RanOut { get; init; }

    /// <summary>Looks at all calls without making one.</summary>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>
    /// What can't be made, and why, as <see cref="CallReplayResult.NotMade"/> has it; and how many there are in all.
    /// </returns>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public CallCheck Check(CancellationToken cancellationToken = default)
    {
        var meter = new CallMeter(_trace, _source.Count, _options, null, null);
        _source.Restart();
        while (_source.TryTake(meter, out _)) cancellationToken.ThrowIfCancellationRequested();
        return new CallCheck(_source.Count, meter.Result(null, null).NotMade);
    }

    /// <summary>Makes all calls, and completes when all have ended. Run it where the target makes calls best.</summary>
    /// <param name="progress">
    /// Hears how many of the calls have ended or are left out, 0 to 1, some hundred times.
    /// </param>
    /// <param name="cancellationToken">
    /// Makes no more calls; those under way end, and the result says what was not reached.
    /// </param>
    public async Task<CallReplayResult> RunAsync(
        IProgress<double>? progress = null, CancellationToken cancellationToken = default)
    {
        _source.Restart();
        var meter = new CallMeter(_trace, _source.Count, _options, Ended, progress);
        var before = _target.Statistics;
        var run = new Run(this, meter, cancellationToken);
        if (_options.Speed > 0) await run.AsTheyArrivedAsync();
        else await Task.WhenAll(Enumerable.Range(0, _options.Clients).Select(_ => run.ClientAsync()));
        return meter.Result(before, _target.Statistics);
    }

    private sealed class Run(CallReplay replay, CallMeter meter, CancellationToken cancellationToken)
    {
        private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly long _start = replay._options.Time.GetTimestamp();
        private int _underWay;
        private int _hasRunOut;
        private Exception? _failure;

        private TimeProvider Time => replay._options.Time;

        private bool IsOver => cancellationToken.IsCancellationRequested || Volatile.Read(ref _failure) is not null;

        /// <summary>One client of a closed loop.</summary>
        public async Task ClientAsync()
        {
            try
            {
                while (!IsOver)
                {
                    if (!replay._source.TryTake(meter, out var call))
                    {
                        if (Interlocked.Exchange(ref _hasRunOut, 1) == 0) replay.RanOut?.Invoke();
                        return;
                    }

                    await MakeAsync(call, Time.GetTimestamp());
                }
            }
            catch (Exception exception)
            {
                // The others stop, so that it surfaces now and not at the end.
                Interlocked.CompareExchange(ref _failure, exception, null);
                throw;
            }
        }

        /// <summary>All calls, when they are due.</summary>
        public async Task AsTheyArrivedAsync()
        {
            var schedule = new ArrivalSchedule(replay._trace, replay._options.Speed);

            // The loop is one of those that are under way, so that the last to end is known.
            _underWay = 1;
            while (!IsOver && replay._source.TryTake(meter, out var call))
            {
                var due = _start + (long)(schedule.DueOf(call.Transaction).TotalSeconds * Time.TimestampFrequency);
                await UntilAsync(due);
                if (IsOver) break;
                meter.Released(Time.GetElapsedTime(due));
                Interlocked.Increment(ref _underWay);
                _ = OneAsync(call, due);
            }

            End();
            await _drained.Task;
            if (_failure is { } failure) ExceptionDispatchInfo.Throw(failure);
        }

        private async Task UntilAsync(long due)
        {
            // Not before it is due, and not while too many are under way.
            while (!IsOver && (Time.GetTimestamp() < due || Volatile.Read(ref _underWay) > replay._options.UnderWayMax))
            {
                var left = Time.GetElapsedTime(Time.GetTimestamp(), due);
                await Task.Delay(left > _releasePeriod ? left : _releasePeriod, Time, cancellationToken)
                    .ConfigureAwait(
                        ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
            }
        }

        private async Task OneAsync(CallSource.Call call, long due)
        {
            try
            {
                await MakeAsync(call, due);
            }
            catch (Exception exception)
            {
                Interlocked.CompareExchange(ref _failure, exception, null);
            }

            End();
        }

        private void End()
        {
            if (Interlocked.Decrement(ref _underWay) == 0) _drained.TrySetResult();
        }

        private async Task MakeAsync(CallSource.Call call, long since)
        {
            for (var repeats = 0; ; repeats++)
            {
                var end = await call.MakeAsync();
                if (end is { Outcome: CallOutcome.GivenUp, MayRepeat: true } && repeats < replay._options.RepeatsMax
                    && !IsOver)
                    continue;
                meter.Ended(new ReplayedCall(call.Transaction, end, Time.GetElapsedTime(since)), repeats);
                return;
            }
        }
    }
}
