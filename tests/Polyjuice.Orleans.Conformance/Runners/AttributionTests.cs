using Orleans.Transactions;

namespace Polyjuice.Orleans.Conformance.Runners;

/// <summary>
/// Which calls join, start or leave a transaction: 7 cases, after those of Orleans' own tests, on the kit's grains.
/// </summary>
public sealed class AttributionTests(KitCluster fixture) : IClassFixture<KitCluster>
{
    [Fact]
    public async Task Outside_of_a_transaction_only_what_creates_one_has_one()
    {
        var ids = await Ids(
            Grain(null),
            [
                Grain(null),
                Grain(TransactionOption.Suppress),
                Grain(TransactionOption.CreateOrJoin),
                Grain(TransactionOption.Create),
                Grain(TransactionOption.Supported),
                Grain(TransactionOption.NotAllowed)
            ]);

        Assert.Null(Assert.Single(ids[0]!));
        var below = ids[1]!;
        Assert.Equal([true, true, false, false, true, true], below.Select(id => id is null));
        Assert.NotEqual(below[2], below[3]);
    }

    [Fact]
    public async Task Inside_of_a_transaction_what_joins_has_the_same_one()
    {
        var ids = await Ids(
            Grain(TransactionOption.Create),
            [
                Grain(null),
                Grain(TransactionOption.Suppress),
                Grain(TransactionOption.CreateOrJoin),
                Grain(TransactionOption.Create),
                Grain(TransactionOption.Join),
                Grain(TransactionOption.Supported)
            ]);

        var top = Assert.Single(ids[0]!);
        Assert.NotNull(top);
        var below = ids[1]!;
        Assert.Null(below[0]);
        Assert.Null(below[1]);
        Assert.Equal(top, below[2]);
        Assert.NotNull(below[3]);
        Assert.NotEqual(top, below[3]);
        Assert.Equal(top, below[4]);
        Assert.Equal(top, below[5]);
    }

    [Fact]
    public async Task Create_or_join_joins()
    {
        var ids = await Ids(
            Grain(TransactionOption.CreateOrJoin),
            [Grain(TransactionOption.CreateOrJoin), Grain(TransactionOption.CreateOrJoin)]);

        var top = Assert.Single(ids[0]!);
        Assert.NotNull(top);
        Assert.All(ids[1]!, id => Assert.Equal(top, id));
    }

    [Fact]
    public async Task Create_creates()
    {
        var ids = await Ids(
            Grain(TransactionOption.Create), [Grain(TransactionOption.Create), Grain(TransactionOption.Create)]);

        string?[] all = [.. ids[0]!, .. ids[1]!];
        Assert.All(all, Assert.NotNull);
        Assert.Equal(3, all.Distinct().Count());
    }

    [Fact]
    public async Task What_supports_a_transaction_hands_it_on()
    {
        var ids = await Ids(
            Grain(TransactionOption.Create),
            [Grain(TransactionOption.Supported)],
            [Grain(TransactionOption.CreateOrJoin)]);

        var top = Assert.Single(ids[0]!);
        Assert.NotNull(top);
        Assert.Equal(top, Assert.Single(ids[1]!));
        Assert.Equal(top, Assert.Single(ids[2]!));
    }

    [Fact]
    public async Task Join_outside_of_a_transaction_is_refused() =>
        await Assert.ThrowsAsync<NotSupportedException>(() => Ids(Grain(null), [Grain(TransactionOption.Join)]));

    [Fact]
    public async Task Not_allowed_inside_of_a_transaction_is_refused()
    {
        var exception = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => Ids(Grain(TransactionOption.Create), [Grain(TransactionOption.NotAllowed)]));

        Assert.IsType<NotSupportedException>(exception.InnerException);
    }

    private ITransactionAttributionGrain Grain(TransactionOption? option) =>
        fixture.Grains.GetTransactionAttributionGrain(Guid.NewGuid(), option);

    private static Task<List<string?>?[]> Ids(
        ITransactionAttributionGrain top, params List<ITransactionAttributionGrain>[] tiers) =>
        top.GetNestedTransactionIds(0, tiers);
}
