using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Tests.Traces;

public sealed class AccessTraceTests
{
    private static readonly SiteKey s_from = new(
        "Transfer", "ITeller.Transfer>IAccount.Withdraw", "Account.balance", AccessKind.Update);
    private static readonly SiteKey s_to = new(
        "Transfer", "ITeller.Transfer>IAccount.Deposit", "Account.balance", AccessKind.Update);
    private static readonly SiteKey s_look = new("Look", "IAccount.Look", "Account.balance", AccessKind.Read);

    private readonly AccessTraceBuilder _builder = new(1_000_000);
    private readonly int _silo;
    private readonly int[] _accounts;

    public AccessTraceTests()
    {
        _silo = _builder.AddSilo(7, "silo-1");
        _accounts =
        [
            .. Enumerable.Range(0, 3)
            .Select(
                i => _builder.AddParticipant(_builder.AddGrain("Account", $"Account/{i}"), "Account.balance", _silo))
        ];
    }

    [Fact]
    public void Transactions_come_in_the_order_of_arrival_with_their_own_accesses()
    {
        Add(s_look, 50, Access(s_look, 2));
        Add(s_from, 10, Access(s_from, 0), Access(s_to, 1));

        var trace = _builder.Build();

        Assert.Equal([10, 50], trace.Transactions.ToArray().Select(transaction => transaction.ArrivalMicroseconds));
        Assert.Equal([0, 1], trace.AccessesOf(trace.Transactions[0]).ToArray().Select(access => access.Participant));
        Assert.Equal([2], trace.AccessesOf(trace.Transactions[1]).ToArray().Select(access => access.Participant));
        Assert.Equal([new TraceWindow(10, 51)], trace.Windows);
    }

    [Fact]
    public void The_catalogue_lists_each_types_sites_in_the_order_in_which_they_were_seen_and_tells_loops()
    {
        Add(s_from, 10, Access(s_from, 0), Access(s_to, 1), Access(s_to, 2));
        Add(s_look, 20, Access(s_look, 0));

        var catalogue = _builder.Build().ToCatalogue();

        Assert.Equal(1, catalogue.Version);
        Assert.Equal(
            [
                new CatalogueSite(s_from.Name, "Account.balance", AccessKind.Update),
                new CatalogueSite(s_to.Name, "Account.balance", AccessKind.Update, Loop: true)
            ],
            catalogue.Find("Transfer")!.Sites);
        Assert.Equal(
            [new CatalogueSite(s_look.Name, "Account.balance", AccessKind.Read)], catalogue.Find("Look")!.Sites);
    }

    [Fact]
    public void An_access_to_what_was_not_added_is_refused_and_leaves_nothing_behind()
    {
        var site = _builder.AddSite(s_look);

        Assert.Throws<ArgumentOutOfRangeException>(
            () => Add(s_look, 10, Access(s_look, 0), new TraceAccess(site, 99, 0, 0, TraceAccessFlags.None)));

        var trace = _builder.Build();
        Assert.Equal(0, trace.Transactions.Length);
        Assert.Equal(0, trace.Accesses.Length);
    }

    [Fact]
    public void A_site_of_another_type_is_refused() =>
        Assert.Contains(
            "Look",
            Assert.Throws<ArgumentException>(() => Add(s_from, 10, Access(s_look, 0))).Message,
            StringComparison.Ordinal);

    [Fact]
    public void A_site_about_another_state_is_refused()
    {
        var other = _builder.AddParticipant(0, "Account.savings", _silo);

        Assert.Throws<ArgumentException>(() => Add(s_look, 10, Access(s_look, other)));
    }

    [Fact]
    public void Windows_come_in_order_and_apart()
    {
        _builder.AddWindow(new TraceWindow(0, 100));

        Assert.Throws<ArgumentException>(() => _builder.AddWindow(new TraceWindow(99, 200)));
        Assert.Throws<ArgumentException>(() => _builder.AddWindow(new TraceWindow(200, 200)));
        _builder.AddWindow(new TraceWindow(200, 250));

        Assert.Equal(150, _builder.Build().RecordedMicroseconds);
    }

    private TraceAccess Access(SiteKey site, int account) =>
        new(_builder.AddSite(site), account, 0, 1, TraceAccessFlags.None);

    private void Add(SiteKey of, long arrival, params TraceAccess[] accesses) =>
        _builder.AddTransaction(
            new TraceTransaction(_builder.AddType(of.Type), arrival, 5, 0, _silo, 1, AbortReason.None, false, 0, 0),
            accesses);
}
