using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Tests.Protocol;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Partitions.Owners;

/// <summary>
/// Rows where only confirms are waited for are looked at seldom; that delays nothing that comes after.
/// </summary>
public sealed class RestlessRowsTests
{
    private const int TurnTicks = 16;

    // A row sits out turns for eight times sixteen ticks of 2 ms; whatever
    // part of that is over, the next look must not wait for the rest.
    [Theory]
    [InlineData(0)]
    [InlineData(64_000)]
    [InlineData(128_000)]
    [InlineData(192_000)]
    public void A_row_that_sits_out_turns_repeats_a_lost_vote_as_soon_as_any_other(long later)
    {
        EngineOptions? options = null;
        var s = new Scenario(
            ProtocolBreaks.None, configure: known => (options = known).RowLingerMicroseconds = 10_000_000, rows: true);
        s.Run(500_000);
        s.Commit(s.Agent, Scenario.Updates("T", 4, 5));
        s.Run(1_000_000 + later);
        var votes = s.Wire.Drop(Scenario.Of(MessageKind.Vote));
        var record = s.Start(s.Agent, Scenario.Updates("T", 4, 5));
        s.Until(() => votes.Taken.Any(), "the first vote is lost");
        var lost = s.Cluster.Loop.Now;
        votes.Off();

        // The agent's repetition would be answered with a vote, too.
        s.Wire.Drop(Scenario.Of(MessageKind.Prepare));
        s.Until(record);
        Assert.InRange(
            s.Cluster.Loop.Now - lost,
            options!.ResendMicroseconds,
            options.ResendMicroseconds + (TurnTicks * options.TickMicroseconds) + 20_000);
    }
}
