using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Tests.Traces;

public sealed class TraceJoinTests
{
    [Fact]
    public void What_has_the_same_name_is_the_same_and_times_go_on()
    {
        var joined = TraceJoin.Of([Part(1_000, "Account/a", "Account/b"), Part(5_000, "Account/b", "Account/c")]);

        Assert.Equal(1_000, joined.StartMicroseconds);
        Assert.Equal([new TraceWindow(0, 100), new TraceWindow(4_000, 4_100)], joined.Windows);
        Assert.Equal(["Account/a", "Account/b", "Account/c"], joined.Grains.Select(grain => grain.Key));
        Assert.Equal(3, joined.Participants.Count);
        Assert.Single(joined.Silos);
        Assert.Equal(
            [10L, 20, 4_010, 4_020],
            joined.Transactions.ToArray().Select(transaction => transaction.ArrivalMicroseconds));
        Assert.Equal(
            joined.AccessesOf(joined.Transactions[1])[0].Participant,
            joined.AccessesOf(joined.Transactions[2])[0].Participant);
    }

    [Fact]
    public void Grains_whose_keys_were_dropped_are_not_taken_for_each_other()
    {
        var joined = TraceJoin.Of([
            Part(1_000, "Account/a", "Account/b").Anonymise(null),
            Part(5_000, "Account/b", "Account/c").Anonymise(null)
        ]);

        Assert.Equal(4, joined.Participants.Count);
    }

    [Fact]
    public void Calls_and_states_stay_with_the_numbers_and_times_of_the_whole()
    {
        var joined = TraceJoin.Of([Called(1_000, "Pay", "Account/a"), Called(5_000, "Close", "Account/b")]);

        Assert.Equal("orleans", joined.ArgumentEncoding);
        Assert.Equal(["Pay", "Close"], joined.Calls.ToArray().Select(call => joined.Methods[call.Method].Signature));
        Assert.Equal(["Account/a", "Account/b"], joined.Calls.ToArray().Select(call => call.GrainKey));
        Assert.Equal(1_000, joined.StatePeriodMicroseconds);
        Assert.Equal([0L, 4_000], joined.States.ToArray().Select(state => state.AtMicroseconds));
        Assert.Equal(
            ["Account/a", "Account/b"],
            joined.States.ToArray().Select(state => joined.Grains[joined.Participants[state.Participant].Grain].Key));
    }

    [Fact]
    public void Calls_and_states_that_were_recorded_in_another_way_than_the_first_are_left_out()
    {
        var joined = TraceJoin.Of(
            [Called(1_000, "Pay", "Account/a"), Called(5_000, "Pay", "Account/b", encoding: "json", period: 500)]);

        Assert.Equal([true, false], joined.Calls.ToArray().Select(call => call.IsNamed));
        Assert.Single(joined.States.ToArray());
        Assert.Equal(2, joined.Transactions.Length);
    }

    [Fact]
    public void Times_that_overlap_are_refused()
    {
        Assert.Throws<ArgumentException>(() => TraceJoin.Of([Part(1_000, "Account/a"), Part(1_050, "Account/a")]));
        Assert.Throws<ArgumentException>(() => TraceJoin.Of([]));
    }

    private static AccessTrace Part(long start, params string[] accounts)
    {
        var builder = new AccessTraceBuilder(start);
        var silo = builder.AddSilo(7, "silo");
        builder.AddWindow(new TraceWindow(0, 100));
        for (var i = 0; i < accounts.Length; i++)
        {
            var participant = builder.AddParticipant(builder.AddGrain("Account", accounts[i]), "Account.balance", silo);
            SyntheticTraces.Add(
                builder,
                "IAccount.Add",
                10 * (i + 1),
                silo,
                AbortReason.None,
                SyntheticTraces.Access(
                    builder, new SiteKey("IAccount.Add", "IAccount.Add", "Account.balance", AccessKind.Update),
                    participant, 0));
        }

        return builder.Build();
    }

    private static AccessTrace Called(
        long start, string method, string account, string encoding = "orleans", long period = 1_000)
    {
        var builder = new AccessTraceBuilder(start) { ArgumentEncoding = encoding, StatePeriodMicroseconds = period };
        var silo = builder.AddSilo(7, "silo");
        builder.AddWindow(new TraceWindow(0, 100));
        var participant = builder.AddParticipant(builder.AddGrain("Account", account), "Account.balance", silo);
        var number = builder.AddMethod(new TracedMethod("account", "IAccount", method));
        var site = builder.AddSite(new SiteKey("IAccount.Add", "IAccount.Add", "Account.balance", AccessKind.Update));
        var transaction = new TraceTransaction(
            builder.AddType("IAccount.Add"), 10, 50, 0, silo, 1, AbortReason.None, false, 0, 0);
        builder.AddTransaction(
            transaction,
            [new TraceAccess(site, participant, 0, 0, TraceAccessFlags.None)],
            new TraceCall(TracedCallState.Whole, number, account, new byte[] { 1 }));
        builder.AddState(new TraceState(participant, 0, TracedStateKind.Whole, "orleans", new byte[] { 2 }));
        return builder.Build();
    }
}
