using System.Net.Http.Json;

namespace BankSilo.Tests;

/// <summary>The bank's accounts, as a client sees them.</summary>
internal static class Accounts
{
    public static async Task<decimal> BalanceAsync(this RunningSilo silo, string owner)
    {
        using var answer = await silo.GetAsync($"/accounts/{owner}");
        Assert.True(
            answer.IsSuccessStatusCode, $"{owner}: {answer.StatusCode}: {await answer.Content.ReadAsStringAsync()}");
        return (await answer.Content.ReadFromJsonAsync<Account>())!.Balance;
    }

    private sealed record Account(string Owner, decimal Balance);
}
