using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Training.Service.Collecting;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Tests.Service.Collecting;

public sealed class ConflictRateTests
{
    private readonly AccessTraceBuilder _builder = new(0);
    private readonly int _silo;
    private readonly int[] _accounts;

    public ConflictRateTests()
    {
        _silo = _builder.AddSilo(1);
        _accounts = SyntheticTraces.Participants(_builder, [_silo], "Account", 3);
    }

    [Fact]
    public void Those_that_access_the_same_in_the_same_interval_are_in_conflict_if_one_updates()
    {
        Add(0, AccessKind.Update, 0);
        Add(5, AccessKind.Read, 0);
        Add(6, AccessKind.Update, 1);

        Assert.Equal(2.0 / 3, Rate(10));
    }

    [Fact]
    public void Readers_are_not_in_conflict_with_each_other_and_nobody_with_himself()
    {
        Add(0, AccessKind.Read, 0, 0);
        Add(1, AccessKind.Read, 0);
        Add(2, AccessKind.Update, 1, 1);

        Assert.Equal(0, Rate(10));
    }

    [Fact]
    public void Those_of_different_intervals_are_not_in_conflict()
    {
        Add(9, AccessKind.Update, 0);
        Add(10, AccessKind.Update, 0);

        Assert.Equal(0, Rate(10));
        Assert.Equal(1, Rate(20));
    }

    [Fact]
    public void Too_few_transactions_say_nothing()
    {
        Add(0, AccessKind.Update, 0);

        Assert.Null(ConflictRate.Of(_builder.Build(), 10, 2));
    }

    private double? Rate(long interval) => ConflictRate.Of(_builder.Build(), interval, 1);

    private void Add(long arrival, AccessKind kind, params int[] accounts)
    {
        var type = $"IAccount.{kind}";
        SyntheticTraces.Add(
            _builder,
            type,
            arrival,
            _silo,
            AbortReason.None,
            [
                .. accounts.Select(
                    (account, i) => SyntheticTraces.Access(
                        _builder, new SiteKey(type, type, "Account.balance", kind), _accounts[account], i))
            ]);
    }
}
