using Polyjuice.Isolation;

namespace Polyjuice.Testing;

/// <summary>
/// Makes a history of what was recorded. Every transaction has a process of its own, so that nothing is said to follow
/// from the order of a process: it would only repeat what follows from real time.
/// </summary>
internal static class HistoryAssembly
{
    private enum Place
    {
        Invocation,
        Completion,
    }

    public static History Of(IEnumerable<RecordedOutcome> outcomes, Func<long, long> nanosecondsOf)
    {
        // What has not ended is told last, as unknown, so that what it has read so far is told with it. What a
        // transaction has dropped shares its moments: an order among those is arbitrary, and an invocation comes before
        // its completion.
        var events = outcomes
            .SelectMany((outcome, process) => new[]
            {
                (At: outcome.Began, Process: process, Place: Place.Invocation, outcome),
                (At: outcome.Ended ?? long.MaxValue, Process: process, Place: Place.Completion, outcome),
            })
            .OrderBy(moment => moment.At).ThenBy(moment => moment.Process).ThenBy(moment => moment.Place);
        var history = new HistoryBuilder();
        var time = 0L;
        foreach (var (at, process, place, outcome) in events)
        {
            if (at != long.MaxValue) time = nanosecondsOf(at);
            if (place == Place.Invocation) history.Invoke(process, time, [.. outcome.Steps.Select(WithoutResult)]);
            else if (outcome.Outcome == TransactionOutcome.Committed) history.Ok(process, time, outcome.Steps);
            else if (outcome.Outcome == TransactionOutcome.Aborted) history.Fail(process, time, outcome.Steps);
            else history.Info(process, time, outcome.Steps);
        }

        return history.Build();
    }

    private static MicroOp WithoutResult(MicroOp step) => step.Kind == MicroOpKind.Read ? MicroOp.Read(step.Key) : step;
}
