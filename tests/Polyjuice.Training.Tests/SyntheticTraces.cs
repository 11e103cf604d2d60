using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Tests;

/// <summary>Traces that nobody recorded, small enough to know what must come out.</summary>
internal static class SyntheticTraces
{
    /// <summary>
    /// Types of so many updates each: one of a hot record, then cold ones. The paper's micro-benchmark in small.
    /// </summary>
    public static AccessTrace Micro(
        int transactions = 400, int types = 2, int cold = 3, int hotRecords = 1, int coldRecords = 2_000,
        ulong seed = 1)
    {
        var builder = new AccessTraceBuilder(0);
        int[] silos = [builder.AddSilo(1, "silo-1"), builder.AddSilo(2, "silo-2")];
        var random = new SimulationRandom(seed);
        var hot = Participants(builder, silos, "Hot", hotRecords);
        var coldOnes = Participants(builder, silos, "Cold", coldRecords);
        for (var i = 0; i < transactions; i++)
        {
            var type = $"IHot.Run{1 + random.Next(types)}";
            var chosen = random.Next(hotRecords);
            var accesses = new List<TraceAccess>
            {
                Access(builder, new SiteKey(type, type, "Hot.record", AccessKind.Update), hot[chosen], 0)
            };
            for (var n = 0; n < cold; n++)
                accesses.Add(
                    Access(
                        builder,
                        new SiteKey(type, $"{type}>ICold.Add", "Cold.record", AccessKind.Update),
                        coldOnes[random.Next(coldRecords)],
                        n + 1));
            Add(builder, type, i * 100, silos[chosen % 2], AbortReason.None, [.. accesses]);
        }

        return builder.Build();
    }

    /// <summary>
    /// A transaction of every tenth that its application refuses, and one
    /// of every tenth that the system gave up; all update one record.
    /// </summary>
    public static AccessTrace WithRefusals(int transactions = 400)
    {
        var builder = new AccessTraceBuilder(0);
        var silo = builder.AddSilo(1);
        var record = Participants(builder, [silo], "Account", 1)[0];
        for (var i = 0; i < transactions; i++)
        {
            var outcome = (i % 10) switch
            {
                3 => AbortReason.UserException, 7 => AbortReason.Timeout, _ => AbortReason.None
            };
            Add(
                builder,
                "IAccount.Withdraw",
                i * 100,
                silo,
                outcome,
                Access(
                    builder,
                    new SiteKey("IAccount.Withdraw", "IAccount.Withdraw", "Account.balance", AccessKind.Update),
                    record, 0));
        }

        return builder.Build();
    }

    public static int[] Participants(AccessTraceBuilder builder, int[] silos, string grainClass, int count) =>
        [
            .. Enumerable.Range(0, count)
            .Select(
                i => builder.AddParticipant(
                    builder.AddGrain(grainClass, $"{grainClass}/{i}"),
                    $"{grainClass}.{(grainClass == "Account" ? "balance" : "record")}",
                    silos[i % silos.Length]))
        ];

    public static TraceAccess Access(
        AccessTraceBuilder builder, SiteKey site, int participant, long at, bool isParallel = false) =>
        new(builder.AddSite(site), participant, at, 1, isParallel ? TraceAccessFlags.Parallel : TraceAccessFlags.None);

    public static void Add(
        AccessTraceBuilder builder, string type, long arrival, int silo, AbortReason outcome,
        params TraceAccess[] accesses) =>
        builder.AddTransaction(
            new TraceTransaction(builder.AddType(type), arrival, 50, 0, silo, 1, outcome, false, 0, 0), accesses);
}
