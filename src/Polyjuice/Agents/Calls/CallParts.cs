namespace Polyjuice.Agents;

/// <summary>What travels with calls between silos, put together.</summary>
internal sealed class CallParts
{
    public CallParts(EngineParts engine)
    {
        var predecessors = new Predecessors(engine.Context, engine.Agents, engine.Transactions);
        Tokens = new CallTokens(
            engine, engine.Context, engine.Paths, engine.Dead, engine.Live, engine.Agents, engine.Timers, engine.Spans,
            engine.Tables, engine.Transactions, engine.Parallel, predecessors);
        Reports = new CallReports(
            engine.Context, engine.Partitions, engine.Transactions, engine.Lifecycle, engine.Parallel, predecessors);
        TurnWaits = new TurnWaits(
            engine.Context, engine.Dead, engine.Agents, engine.Timers, engine.Transactions, engine.Parallel);
    }

    public CallTokens Tokens { get; }

    public CallReports Reports { get; }

    public TurnWaits TurnWaits { get; }
}
