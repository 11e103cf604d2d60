namespace Polyjuice.Agents;

/// <summary>The agent's part in commits, put together.</summary>
internal sealed class CommitParts
{
    public CommitParts(EngineParts engine)
    {
        Outcomes = new CommitOutcomes(
            engine.Context, engine.Mail, engine.Partitions, engine.Transactions, engine.Aborts);
        Rounds = new CommitRounds(
            engine.Context, engine.Mail, engine.Partitions, engine.Spans, engine.Admission, engine.DueLooks,
            engine.Transactions, engine.Lifecycle, engine.Progress, new CommitTimestamps(engine.Context), Outcomes);
        Start = new CommitStart(engine.Context, engine.Rows, engine.Spans, engine.Aborts, Outcomes, Rounds);
        NewOwners = new NewOwners(engine.Live, engine.Partitions, engine.Owners.TakeOvers, engine.Lifecycle, Outcomes);
    }

    public CommitStart Start { get; }

    public CommitRounds Rounds { get; }

    public CommitOutcomes Outcomes { get; }

    public NewOwners NewOwners { get; }
}
