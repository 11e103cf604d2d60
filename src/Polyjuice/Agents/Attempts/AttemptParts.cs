namespace Polyjuice.Agents;

/// <summary>Who begins and ends attempts, put together; <see cref="Attempts"/> runs them one after the other.</summary>
internal sealed class AttemptParts
{
    public AttemptParts(EngineParts engine)
    {
        var (context, reservations) = (engine.Context, engine.Reservations);
        Choice = new AdmissionChoice(
            context, engine.Paths, engine.Learning, engine.Hot, engine.Tables, reservations.Learned);
        End = new AttemptEnd(
            engine.Live, engine.Exceptions, engine.Spans, engine.Admission, engine.Cancellations, engine.Lifecycle,
            engine.Progress, reservations.Counts);
        Starts = new AttemptStarts(
            engine, context, engine.Live, engine.Timers, engine.Paths, engine.Learning, engine.Spans, engine.Tables,
            engine.Transactions, Choice);
        DryRuns = new DryRuns(
            context, engine.Live, engine.Mail, engine.Learning, engine.Spans, engine.Tables, engine.Transactions,
            engine.Lifecycle, End, Starts);
        Reserved = new ReservedAttempts(
            context, engine.KnownOwners, engine.Paths, engine.Learning, engine.Spans, engine.Aborts, reservations.Plans,
            reservations.Loading, reservations.Chains, End, Starts);
        Planning = new AttemptPlanning(
            engine.Exceptions, engine.Paths, engine.Tables, reservations.Learned, Choice, reservations.Plans, Starts,
            DryRuns, Reserved);
        Retries = new AttemptRetries(context, engine.Exceptions, engine.Recording, engine.Metrics, End);
        Bodies = new BodyEnd(
            context, engine.Waits, engine.Lifecycle, engine.Progress, engine.Aborts, engine.Commits.Start);
    }

    public AdmissionChoice Choice { get; }

    public AttemptStarts Starts { get; }

    public DryRuns DryRuns { get; }

    public ReservedAttempts Reserved { get; }

    public AttemptPlanning Planning { get; }

    public BodyEnd Bodies { get; }

    public AttemptRetries Retries { get; }

    public AttemptEnd End { get; }
}
