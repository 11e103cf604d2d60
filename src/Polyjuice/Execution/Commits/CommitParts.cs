namespace Polyjuice.Execution;

/// <summary>The agent's part in commits, put together.</summary>
internal sealed class CommitParts
{
    public CommitParts(TransactionEngine engine)
    {
        Outcomes = new CommitOutcomes(
            engine.Context, engine.Mail, engine.Partitions, engine.Spans, engine.Transactions, engine.Aborts);
        Rounds = new CommitRounds(
            engine.Context, engine.Mail, engine.Partitions, engine.Spans, engine.Admission, engine.DueLooks,
            engine.Transactions, engine.Lifecycle, engine.Progress, new CommitTimestamps(engine.Context), Outcomes);
        Start = new CommitStart(engine.Context, engine.Rows, engine.Spans, engine.Aborts, Outcomes, Rounds);
        TakeOvers = new TakeOvers(
            engine.Context, engine.Live, engine.Mail, engine.Agents, engine.Logs, engine.Partitions, engine.Lifecycle,
            Outcomes);
    }

    public CommitStart Start { get; }

    public CommitRounds Rounds { get; }

    public CommitOutcomes Outcomes { get; }

    public TakeOvers TakeOvers { get; }
}
