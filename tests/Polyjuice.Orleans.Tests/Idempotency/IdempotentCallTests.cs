using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Transactions;
using Polyjuice.Orleans.Idempotency;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Policies;
using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Tests.Idempotency;

public sealed class IdempotentCallTests(TwoSilos fixture) : IClassFixture<TwoSilos>
{
    private static long s_last = 10_000;

    private readonly long _till = Interlocked.Increment(ref s_last);

    private ITill Till => Of(_till);

    [Fact]
    public async Task A_repeated_call_gets_the_first_one_s_answer_and_does_not_run()
    {
        Assert.Equal(5, await PayAsync(5));
        Assert.Equal(6, await Till.Pay(1));
        Assert.Equal(5, await PayAsync(5));
        Assert.Equal(5, await PayAsync(5));
        Assert.Equal((6, 2), (await Till.Total(), TillGrain.RunsOf(_till)));
    }

    [Fact]
    public async Task Another_key_is_another_call()
    {
        Assert.Equal(5, await PayAsync(5, "one"));
        Assert.Equal(10, await PayAsync(5, "other"));
        Assert.Equal(5, await PayAsync(5, "one"));
    }

    [Fact]
    public async Task A_key_is_for_one_grain()
    {
        var other = Interlocked.Increment(ref s_last);
        Assert.Equal(5, await PayAsync(5));
        using (IdempotencyKey.Use("key")) Assert.Equal(7, await Of(other).Pay(7));
        Assert.Equal(5, await PayAsync(5));
    }

    [Fact]
    public async Task Calls_without_an_answer_are_known_too()
    {
        using (IdempotencyKey.Use("key"))
        {
            await Till.PayQuietly(5);
            await Till.PayQuietly(5);
        }

        Assert.Equal((5, 1), (await Till.Total(), TillGrain.RunsOf(_till)));
    }

    [Fact]
    public async Task Arguments_count_as_they_came_and_objects_are_answers()
    {
        var notes = new string('n', 3);
        var first = await PayForAsync(notes, notes);
        var second = await PayForAsync(new string('n', 3), new string('n', 3));
        Assert.Equal(new Slip(5, "5 paid"), first);
        Assert.Equal(first, second);
        var exception = await Assert.ThrowsAsync<IdempotencyException>(() => PayForAsync("other", "notes"));
        Assert.Equal(IdempotencyFailure.OtherArguments, exception.Failure);
        Assert.Equal(5, await Till.Total());

        async Task<Slip> PayForAsync(params string[] notes)
        {
            using (IdempotencyKey.Use("key")) return await Till.PayFor(new() { Amount = 5, Notes = notes });
        }
    }

    [Fact]
    public async Task The_key_of_a_call_with_other_arguments_is_refused()
    {
        await PayAsync(5);
        var exception = await Assert.ThrowsAsync<IdempotencyException>(() => PayAsync(6));
        Assert.Equal(IdempotencyFailure.OtherArguments, exception.Failure);
        Assert.Contains("'key'", exception.Message, StringComparison.Ordinal);
        Assert.Contains("ITill.Pay", exception.Message, StringComparison.Ordinal);
        Assert.Equal(5, await Till.Total());
    }

    [Fact]
    public async Task The_key_of_a_call_of_another_method_is_refused()
    {
        await PayAsync(5);
        using var key = IdempotencyKey.Use("key");
        var exception = await Assert.ThrowsAsync<IdempotencyException>(() => Till.PayQuietly(5));
        Assert.Equal(IdempotencyFailure.OtherMethod, exception.Failure);
        Assert.Equal(5, await Till.Total());
    }

    [Fact]
    public async Task A_call_that_threw_runs_when_it_is_repeated()
    {
        TillGrain.Refuses[_till] = true;
        using var key = IdempotencyKey.Use("key");
        var exception = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(() => Till.PayIfOpen(5));
        Assert.Equal("It is closed.", Assert.IsType<InvalidOperationException>(exception.InnerException).Message);
        TillGrain.Refuses.TryRemove(_till, out _);

        Assert.Equal(5, await Till.PayIfOpen(5));
        TillGrain.Refuses[_till] = true;
        Assert.Equal(5, await Till.PayIfOpen(5));
        Assert.Equal(5, await Till.Total());
    }

    [Fact]
    public async Task A_call_that_has_declined_runs_when_it_is_repeated()
    {
        using var key = IdempotencyKey.Use("key");
        await Till.PayInVain(5);
        await Till.PayInVain(5);
        Assert.Equal((0, 2), (await Till.Total(), TillGrain.RunsOf(_till)));
    }

    [Theory]
    [InlineData("occ")]
    [InlineData("locking")]
    [InlineData("ic3")]
    [InlineData("dirty-public")]
    [InlineData("reserve")]
    [InlineData("auto")]
    public async Task Of_calls_that_are_repeated_at_once_one_has_its_effect_and_all_get_its_answer(string policy)
    {
        Swap(policy);
        try
        {
            // Each till is in another log; the other one of each call, too.
            var others = Enumerable.Range(0, 4).Select(_ => Interlocked.Increment(ref s_last)).ToArray();
            var answers = await Task.WhenAll(Enumerable.Range(0, 40).Select(async call =>
            {
                using (IdempotencyKey.Use($"{policy}-{call % 8}"))
                    return (Call: call % 8, Answer: await Till.PayBoth(others[call % 4], 1));
            }));

            Assert.All(answers.GroupBy(answer => answer.Call), answers => Assert.Single(answers.Distinct()));
            Assert.Equal(8, await Till.Total());
            foreach (var other in others) Assert.Equal(2, await Of(other).Total());
        }
        finally
        {
            Swap("occ");
        }
    }

    [Theory]
    [InlineData("reserve")]
    [InlineData("auto")]
    public async Task Declared_accesses_and_dry_runs_are_as_good(string policy)
    {
        Swap(policy);
        try
        {
            var other = Interlocked.Increment(ref s_last);
            for (var i = 0; i < 3; i++)
            {
                using (IdempotencyKey.Use("declared")) Assert.Equal(5, await Till.PayDeclared(5));
                using (IdempotencyKey.Use("dry")) Assert.Equal(7, await Till.PayAfterDryRun(other, 7));
            }

            Assert.Equal((12, 7), (await Till.Total(), await Of(other).Total()));
        }
        finally
        {
            Swap("occ");
        }
    }

    // The second of two calls would otherwise be refused as another method's.
    [Fact]
    public async Task A_transaction_does_not_pass_its_key_on()
    {
        var other = Interlocked.Increment(ref s_last);
        using (IdempotencyKey.Use("key"))
        {
            Assert.Equal(5, await Till.PayBoth(other, 5));
            Assert.Equal(6, await Of(other).Pay(1));
        }

        Assert.Equal(6, await Of(other).Total());
    }

    [Fact]
    public async Task A_method_that_is_no_transaction_passes_its_key_on()
    {
        var other = Interlocked.Increment(ref s_last);
        using (IdempotencyKey.Use("key"))
        {
            Assert.Equal(5, await Till.PassOn(other, 5));
            Assert.Equal(5, await Till.PassOn(other, 5));
        }

        Assert.Equal(5, await Of(other).Total());
    }

    [Fact]
    public async Task A_read_only_call_reads_again()
    {
        using var key = IdempotencyKey.Use("key");
        Assert.Equal(0, await Till.Total());
        Assert.Equal(5, await Till.Pay(5));
        Assert.Equal(5, await Till.Total());
    }

    [Fact]
    public async Task A_transaction_of_a_client_has_no_key()
    {
        using var key = IdempotencyKey.Use("key");
        var transactions = fixture.Cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>();
        var exception = await Assert.ThrowsAsync<NotSupportedException>(
            () => transactions.RunTransaction(TransactionOption.Create, () => Till.Pay(5)));
        Assert.Contains("idempotency key", exception.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<NotSupportedException>(() => Till.RunOwn());
        Assert.Equal(0, await Till.Total());
    }

    // What a client sends that sets the context itself.
    [Theory]
    [InlineData(7)]
    [InlineData("")]
    [InlineData(null)]
    public async Task A_bad_key_is_refused_where_it_arrives(object? bad)
    {
        RequestContext.Set(IdempotencyKey.Key, bad ?? new string('k', IdempotencyKey.LengthMax + 1));
        try
        {
            var exception = await Assert.ThrowsAsync<IdempotencyException>(() => Till.Pay(5));
            Assert.Equal(IdempotencyFailure.BadKey, exception.Failure);
        }
        finally
        {
            RequestContext.Remove(IdempotencyKey.Key);
        }

        Assert.Equal(0, TillGrain.RunsOf(_till));
    }

    [Fact]
    public async Task An_answer_that_is_too_large_to_keep_aborts_the_call()
    {
        using var key = IdempotencyKey.Use("key");
        var exception = await Assert.ThrowsAsync<IdempotencyException>(() => Till.Describe(20_000));
        Assert.Equal(IdempotencyFailure.AnswerTooLarge, exception.Failure);
        Assert.Contains("IdempotentAnswerBytes", exception.Message, StringComparison.Ordinal);
        Assert.Equal(0, await Till.Total());
        Assert.Equal(16_000, (await Till.Describe(16_000)).Length);
        Assert.Equal(1, await Till.Total());
    }

    // More than fit on one page: those that come later are on pages below.
    [Fact]
    public async Task Pages_that_are_full_have_pages_below_them()
    {
        string NameOf(string key) => PageNames.CallOf(Till.GetGrainId(), key).ToString("n");
        var top = NameOf("k0")[..PageNames.DigitsAtTop];
        var used = new List<string>();
        for (var i = 0; used.Count < AnsweredCalls.CallsMax + 8; i++)
        {
            if (NameOf($"k{i}").StartsWith(top, StringComparison.Ordinal)) used.Add($"k{i}");
        }

        for (var i = 0; i < used.Count; i++) Assert.Equal(i + 1, await PayAsync(1, used[i]));
        for (var i = 0; i < used.Count; i++) Assert.Equal(i + 1, await PayAsync(1, used[i]));
        Assert.Equal(used.Count, TillGrain.RunsOf(_till));
    }

    private ITill Of(long till) => fixture.Cluster.Client.GetGrain<ITill>(till);

    private async Task<int> PayAsync(int amount, string key = "key")
    {
        using (IdempotencyKey.Use(key)) return await Till.Pay(amount);
    }

    private void Swap(string policy)
    {
        foreach (var silo in fixture.Cluster.Silos)
            silo.ServiceProvider.GetRequiredService<PolicyStore>().Swap(BuiltinPolicies.Get(policy));
    }
}
