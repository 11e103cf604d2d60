using System.Net;

namespace SmallbankSilo.Tests;

public sealed class SmallbankTests
{
    private const int Accounts = 300;
    private static readonly object s_bank = new { accounts = Accounts, checking = 100_00, savings = 50_00 };

    [Fact]
    public async Task Each_transaction_moves_the_money_that_it_says_and_the_total_is_that_of_all_accounts()
    {
        await using var silo = await OpenAsync();
        Assert.Equal(Accounts * 150_00, await TotalAsync(silo));

        await silo.PostAsync("/accounts/1/deposits", new { amount = 7 }).DoneAsync();
        await silo.PostAsync("/accounts/2/savings", new { amount = -50_00 }).DoneAsync();
        Assert.Equal(9, (int)(await silo.PostAsync("/accounts/3/checks", new { amount = 9 }).DoneAsync())["taken"]!);
        await silo.PostAsync("/accounts/4/payments", new { to = 5, amount = 10 }).DoneAsync();
        await silo.PostAsync("/accounts/6/amalgamations", new { into = 300 }).DoneAsync();
        await silo.PostAsync("/accounts/7/transfers", new { to = new[] { 8, 9 }, amountEach = 11 }).DoneAsync();

        foreach (var (account, balance) in new[]
        {
            (1, 150_07), (2, 100_00), (3, 149_91), (4, 149_90), (5, 150_10), (6, 0), (300, 300_00), (7, 149_78),
            (8, 150_11), (9, 150_11)
        })
            Assert.Equal((account, balance), (account, await BalanceAsync(silo, account)));
        Assert.Equal((Accounts * 150_00) + 7 - 50_00 - 9, await TotalAsync(silo));
    }

    [Fact]
    public async Task A_bank_that_is_opened_again_keeps_its_balances_and_one_of_other_terms_is_refused()
    {
        await using var silo = await OpenAsync();
        await silo.PostAsync("/accounts/1/payments", new { to = 2, amount = 40_00 }).DoneAsync();
        await silo.PutAsync("/bank", s_bank).DoneAsync();
        Assert.Equal((110_00, 190_00), (await BalanceAsync(silo, 1), await BalanceAsync(silo, 2)));

        await silo.PutAsync("/bank", new { accounts = 5, checking = 1, savings = 1 })
            .RefusedAsync(HttpStatusCode.Conflict, $"There is a bank of {Accounts} accounts");
        Assert.Equal(Accounts * 150_00, await TotalAsync(silo));
    }

    [Fact]
    public async Task Banks_that_are_opened_at_the_same_time_are_one()
    {
        await using var silo = await RunningSilo.StartAsync();
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => silo.PutAsync("/bank", s_bank).DoneAsync()));
        Assert.Equal(Accounts, (int)(await silo.GetAsync("/bank").DoneAsync())["opened"]!);
        Assert.Equal(Accounts * 150_00, await TotalAsync(silo));
    }

    [Fact]
    public async Task A_request_that_is_repeated_with_its_key_has_its_effect_once()
    {
        await using var silo = await OpenAsync();
        for (var i = 0; i < 3; i++)
            await silo.PostAsync("/accounts/1/payments", new { to = 2, amount = 5 }, key: "order-4711").DoneAsync();
        Assert.Equal((149_95, 150_05), (await BalanceAsync(silo, 1), await BalanceAsync(silo, 2)));
        await silo.PostAsync("/accounts/1/payments", new { to = 2, amount = 6 }, key: "order-4711")
            .RefusedAsync(HttpStatusCode.UnprocessableEntity, "order-4711");
    }

    [Fact]
    public async Task What_cannot_be_done_is_refused_with_what_to_do_and_changes_nothing()
    {
        await using var silo = await RunningSilo.StartAsync();
        await silo.GetAsync("/bank").RefusedAsync(HttpStatusCode.NotFound, "PUT /bank");
        await silo.PostAsync("/accounts/1/deposits", new { amount = 1 })
            .RefusedAsync(HttpStatusCode.NotFound, "PUT /bank");
        await silo.PutAsync("/bank", new { accounts = 10_001 })
            .RefusedAsync(HttpStatusCode.BadRequest, "\"accounts\" is 10001, and must be 1 to 10000");
        await silo.PutAsync("/bank", new { accounts = 1, checking = -1 })
            .RefusedAsync(HttpStatusCode.BadRequest, "\"checking\"");
        await silo.PutAsync("/bank", s_bank).DoneAsync();

        await silo.GetAsync("/accounts/301").RefusedAsync(HttpStatusCode.BadRequest, "1 to 300");
        await silo.GetAsync("/accounts/ada").RefusedAsync(HttpStatusCode.BadRequest, "whole number");
        await silo.PostAsync("/accounts/1/deposits", new { amount = 0 })
            .RefusedAsync(HttpStatusCode.BadRequest, "\"amount\" is 0");
        await silo.PostAsync("/accounts/1/deposits", new { amount = "much" })
            .RefusedAsync(HttpStatusCode.BadRequest, "JSON");
        await silo.PostAsync("/accounts/1/savings", new { amount = -50_01 })
            .RefusedAsync(HttpStatusCode.Conflict, "does not cover");
        await silo.PostAsync("/accounts/1/payments", new { to = 2, amount = 100_01 })
            .RefusedAsync(HttpStatusCode.Conflict, "does not cover");
        await silo.PostAsync("/accounts/1/payments", new { to = 1, amount = 1 })
            .RefusedAsync(HttpStatusCode.BadRequest, "another account");
        await silo.PostAsync("/accounts/1/amalgamations", new { into = 0 })
            .RefusedAsync(HttpStatusCode.BadRequest, "1 to 300");
        await silo.PostAsync("/accounts/1/transfers", new { to = new[] { 2, 2 }, amountEach = 1 })
            .RefusedAsync(HttpStatusCode.BadRequest, "each of them once");
        await silo.PostAsync("/accounts/1/transfers", new { to = new[] { 2, 3 }, amountEach = 50_01 })
            .RefusedAsync(HttpStatusCode.Conflict, "does not cover");
        Assert.Equal(Accounts * 150_00, await TotalAsync(silo));
    }

    private static async Task<RunningSilo> OpenAsync()
    {
        var silo = await RunningSilo.StartAsync();
        await silo.PutAsync("/bank", s_bank).DoneAsync();
        return silo;
    }

    private static async Task<long> TotalAsync(RunningSilo silo) =>
        (long)(await silo.GetAsync("/bank/total").DoneAsync())["total"]!;

    private static async Task<long> BalanceAsync(RunningSilo silo, int account) =>
        (long)(await silo.GetAsync($"/accounts/{account}").DoneAsync())["balance"]!;
}
