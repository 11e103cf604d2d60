namespace Polyjuice.Agents;

/// <summary>Who plans, makes and counts reservations, put together.</summary>
internal sealed class ReservationParts
{
    public ReservationParts(EngineParts engine)
    {
        var (context, mail, learning) = (engine.Context, engine.Mail, engine.Learning);
        var activeElsewhere = new ActiveGrains();
        Learned = new LearnedAccessSets(context, learning);
        Plans = new ReservationPlans(
            context, engine.Logs, engine.Rows, engine.Partitions, engine.KnownOwners, learning, engine.Hot,
            engine.Tables, activeElsewhere, Learned);
        Withdrawals = new ReservationWithdrawals(mail, engine.Transactions);
        Loading = new GrainLoading(
            context, engine.Dead, mail, engine.Partitions, engine.KnownOwners, learning, engine.Transactions,
            activeElsewhere, Withdrawals);
        Chains = new ReservationChains(
            engine.Queues, context, engine.Dead, mail, engine.Agents, engine.Timers, engine.Logs, engine.Partitions,
            engine.KnownOwners, engine.Transactions, engine.Ended, Withdrawals, Loading);
        GivingWay = new GivingWay(context, mail, engine.Transactions, Chains);
        Counts = new ReservationCounts(context, mail, engine.OpenTime, engine.Policies, learning, Learned);
    }

    public LearnedAccessSets Learned { get; }

    public ReservationPlans Plans { get; }

    public ReservationWithdrawals Withdrawals { get; }

    public GrainLoading Loading { get; }

    public ReservationChains Chains { get; }

    public GivingWay GivingWay { get; }

    public ReservationCounts Counts { get; }
}
