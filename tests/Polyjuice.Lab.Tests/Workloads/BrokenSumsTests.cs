using Polyjuice.Lab.Workloads;
using Polyjuice.Lab.Workloads.Doppel;
using Polyjuice.Lab.Workloads.Rubis;
using Polyjuice.Lab.Workloads.Tpce;
using static Polyjuice.Lab.Tests.Workloads.Tallies;

namespace Polyjuice.Lab.Tests.Workloads;

/// <summary>Checks must find what is wrong.</summary>
public class BrokenSumsTests
{
    [Theory]
    [InlineData(5, 0, 5, true)]
    [InlineData(5, 0, 4, false)]
    [InlineData(5, 0, 6, false)]
    [InlineData(5, 2, 7, true)]
    [InlineData(5, 2, 8, false)]
    [InlineData(5, 2, 4, false)]
    public void What_is_found_lies_between_what_was_acknowledged_and_what_may_be_on_top(
        int committed, int inDoubt, int found, bool holds)
    {
        var wrong = new List<string>();
        Told(committed, inDoubt).Compare("things", found, wrong);
        Assert.Equal(holds, wrong.Count == 0);
    }

    [Fact]
    public void Tallies_add_up()
    {
        var sum = Tally.Sum([Told(1, 2), Told(3, 4)]);
        Assert.Equal((4, 6), (sum.Committed, sum.InDoubt));
    }

    [Fact]
    public void Aborted_and_declined_operations_count_for_nothing()
    {
        var tally = new Tally();
        tally.Book(OperationOutcome.Aborted);
        tally.Book(OperationOutcome.Declined, 7);
        Assert.Equal((0, 0), (tally.Committed, tally.InDoubt));
    }

    [Fact]
    public void An_increment_too_many_or_too_few_is_named()
    {
        Assert.True(IncrementWorkload.Judge(3, Told(3), 4, Told(4)).Holds);
        Assert.Equal(
            "INCREMENTS ARE WRONG: increments of the hot record: 4, but clients were told of 3",
            IncrementWorkload.Judge(4, Told(3), 4, Told(4)).Description);
        Assert.Contains(
            "increments of the others: 3",
            IncrementWorkload.Judge(3, Told(3), 3, Told(4)).Description,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Likes_that_only_one_side_knows_of_are_named()
    {
        Assert.True(LikeWorkload.Judge(3, 3, Told(3)).Holds);
        Assert.Equal("LIKES ARE WRONG: users count 3, and pages 2", LikeWorkload.Judge(3, 2, Told(3)).Description);
    }

    [Fact]
    public void An_auction_lists_its_highest_bids()
    {
        var auction = new AuctionState();
        foreach (var amount in new[] { 5, 9, 7, 9 }) auction.Take(new AuctionBid(1, amount, amount));
        Assert.Null(auction.Fault());
        Assert.Equal([9, 9, 7, 5], auction.Top.Select(bid => bid.Amount));
        for (var i = 0; i < AuctionState.TopMax; i++) auction.Take(new AuctionBid(1, 3, 6));
        Assert.Null(auction.Fault());
        Assert.Equal(AuctionState.TopMax, auction.Top.Length);
        Assert.DoesNotContain(5, auction.Top.Select(bid => bid.Amount));
        auction.Highest = 8;
        Assert.Contains("its highest bid is 8", auction.Fault(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_bid_that_is_missing_is_named_with_its_auction()
    {
        var auction = new AuctionState();
        auction.Take(new AuctionBid(7, 1, 100));
        var wrong = new List<string>();
        RubisWorkload.Judge(7, auction, Told(2), Told(150), wrong);
        Assert.Equal(
            [
                "bids of auction 7: 1, but clients were told of 2",
                "cents bid for auction 7: 100, but clients were told of 150"
            ],
            wrong);
    }

    [Fact]
    public void Trades_on_which_securities_and_accounts_or_brokers_do_not_agree_are_named()
    {
        var whole = new TpceTotals
        {
            BySecurities = 5, ByAccounts = 5, Waiting = 1, WaitingByBrokers = 1, Met = 1, Updates = 3, Volume = 10
        };
        Assert.True(Judge(whole).Holds);
        Assert.Contains("accounts 4", Judge(whole with { ByAccounts = 4 }).Description, StringComparison.Ordinal);
        Assert.Contains(
            "2 at brokers", Judge(whole with { WaitingByBrokers = 2 }).Description, StringComparison.Ordinal);
        Assert.Contains("not there", Judge(whole with { Missing = 1 }).Description, StringComparison.Ordinal);
        Assert.Contains("requests", Judge(whole with { Met = 0 }).Description, StringComparison.Ordinal);
        Assert.Contains("updates", Judge(whole with { Updates = 4 }).Description, StringComparison.Ordinal);
        Assert.Contains("volume", Judge(whole with { Volume = 9 }).Description, StringComparison.Ordinal);

        static InvariantCheck Judge(TpceTotals totals) => totals.Judge(Told(5), Told(2), Told(3), Told(10));
    }

    [Theory]
    [InlineData(true, 90, true)]
    [InlineData(true, 101, false)]
    [InlineData(false, 101, true)]
    [InlineData(false, 90, false)]
    public void Who_buys_waits_for_a_low_price_and_who_sells_for_a_high_one(bool isBuy, long price, bool isMet) =>
        Assert.Equal(isMet, new TradeRequest(1, 1, isBuy, 100).IsMetBy(price));
}
