using Orleans;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Transactions;

/// <summary>
/// Nothing that an application's code does leaves an attempt open: the next transaction on the same grains commits at
/// once. Under locks, what is open would hold it up for the transaction's 25 s.
/// </summary>
public sealed class MisbehavingCodeTests(FilteredSilos silos) : IClassFixture<FilteredSilos>, IDisposable
{
    private static readonly TimeSpan s_atOnce = TimeSpan.FromSeconds(12);

    // Of so many pairs of grains some are on one silo, and some on two.
    private const int Pairs = 4;

    public static TheoryData<Mischief> Throwing =>
    [
        Mischief.BodyBeforeAccess, Mischief.BodyAfterAccess, Mischief.ReadFunction, Mischief.UpdateFunction,
        Mischief.StateCopy, Mischief.JoinedBody, Mischief.JoinedBodyCaught, Mischief.JoinedActivation,
    ];

    public static TheoryData<Mischief, string> Dropping => new()
    {
        { Mischief.AccessDropped, "must await all that it begins" },
        { Mischief.CallDropped, "" },
        { Mischief.JoinedCallDropped, "must await all that it begins" },
    };

    public static TheoryData<bool, string, bool> Filters
    {
        get
        {
            var all = new TheoryData<bool, string, bool>();
            foreach (var isIncoming in new[] { true, false })
            {
                foreach (var method in new[] { nameof(IRascal.Misbehave), nameof(IRascal.DropAccess) })
                {
                    all.Add(isIncoming, method, true);
                    all.Add(isIncoming, method, false);
                }
            }

            return all;
        }
    }

    public void Dispose()
    {
        silos.Incoming.Clear();
        silos.Outgoing.Clear();
    }

    [Theory]
    [MemberData(nameof(Throwing))]
    public async Task Code_that_throws(Mischief mischief)
    {
        foreach (var (one, other) in Keys(1_000 + (100 * (int)mischief)))
        {
            await GoOnAsync(one, other, 1);
            Prank.Break(one, mischief == Mischief.StateCopy);
            var exception = await Record.ExceptionAsync(() => Rascal(one).Misbehave(mischief, other));
            Prank.Break(one, false);

            Assert.NotNull(exception);
            Assert.Contains(RascalGrain.Excuse, exception.ToString(), StringComparison.Ordinal);
            await GoOnAsync(one, other, 2);
        }
    }

    [Theory]
    [MemberData(nameof(Dropping))]
    public async Task A_task_that_is_not_awaited_and_goes_on_when_the_transaction_has_ended(
        Mischief mischief, string told)
    {
        foreach (var (one, other) in Keys(3_000 + (100 * (int)mischief)))
        {
            await GoOnAsync(one, other, 1);
            await Rascal(one).Misbehave(mischief, other);
            var late = await RascalGrain.ReleaseAsync(mischief == Mischief.JoinedCallDropped ? other : one);

            Assert.NotNull(late);
            Assert.Contains(told, late.ToString(), StringComparison.Ordinal);

            // What it did before it ended has committed, and nothing after that.
            Assert.Equal(3, await Rascal(one).Add(1).WaitAsync(s_atOnce));
            Assert.Equal(
                mischief == Mischief.JoinedCallDropped ? 3 : 2, await Rascal(other).Add(1).WaitAsync(s_atOnce));
        }
    }

    [Theory]
    [MemberData(nameof(Filters))]
    public async Task A_filter_that_throws(bool isIncoming, string method, bool isBefore)
    {
        var isRoot = method == nameof(IRascal.Misbehave);
        var first = 5_000 + (isIncoming ? 0 : 100) + (isBefore ? 0 : 200) + (isRoot ? 400 : 0);
        foreach (var (one, other) in Keys(first))
        {
            await GoOnAsync(one, other, 1);
            (isIncoming ? silos.Incoming : silos.Outgoing).On(method, async context =>
            {
                if (!isBefore) await context.Invoke();
                throw new InvalidOperationException(RascalGrain.Excuse);
            });
            var exception = await Record.ExceptionAsync(() => Rascal(one).Misbehave(Mischief.JoinedCallDropped, other));
            silos.Incoming.Clear();
            silos.Outgoing.Clear();

            Assert.NotNull(exception);
            Assert.Contains(RascalGrain.Excuse, exception.ToString(), StringComparison.Ordinal);

            // A filter that throws after the call that starts a transaction hides a commit.
            var hidden = !isBefore && isRoot ? 1 : 0;
            await GoOnAsync(one, other, 2 + hidden);
        }
    }

    private static IEnumerable<(long One, long Other)> Keys(long first) =>
        Enumerable.Range(0, Pairs).Select(pair => (first + (2 * pair), first + (2 * pair) + 1));

    private IRascal Rascal(long key) => silos.Grains.GetGrain<IRascal>(key);

    private async Task GoOnAsync(long one, long other, int value)
    {
        Assert.Equal(value, await Rascal(one).Add(1).WaitAsync(s_atOnce));
        Assert.Equal(value, await Rascal(other).Add(1).WaitAsync(s_atOnce));
    }
}
