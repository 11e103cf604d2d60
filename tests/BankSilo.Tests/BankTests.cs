using System.Globalization;
using System.Net;
using SiloHosting.Settings;

namespace BankSilo.Tests;

[Collection(AloneCollection.Name)]
public sealed class BankTests
{
    [Fact]
    public async Task Money_goes_from_account_to_account_and_is_counted()
    {
        await using var silo = await RunningSilo.StartAsync();
        (await silo.PostAsync("/accounts/ada/deposits", new { amount = 50 })).EnsureSuccessStatusCode();
        (await silo.PostAsync(
            "/transfers", new { from = "ada", to = "bruno", amount = 20.5 })).EnsureSuccessStatusCode();
        Assert.Equal(29.5m, await silo.BalanceAsync("ada"));
        Assert.Equal(20.5m, await silo.BalanceAsync("bruno"));

        // Meters are the process's, so what silos of other tests commit meanwhile counts too.
        var answer = await silo.AskAsync(SiloEndpoints.Metrics);
        var line = answer.Text.Split('\n').SingleOrDefault(
            line => line.StartsWith("polyjuice_commits_total{} ", StringComparison.Ordinal));
        Assert.True(line is not null, $"{answer.Status}: {answer.Text}");
        Assert.True(long.Parse(line.Split(' ')[1], CultureInfo.InvariantCulture) >= 4, line);
    }

    [Fact]
    public async Task A_request_that_is_repeated_with_its_key_has_its_effect_once()
    {
        await using var silo = await RunningSilo.StartAsync();
        (await silo.PostAsync("/accounts/ada/deposits", new { amount = 50 })).EnsureSuccessStatusCode();
        for (var i = 0; i < 3; i++)
            (await silo.PostAsync(
                "/transfers", new { from = "ada", to = "bruno", amount = 20 },
                key: "order-4711")).EnsureSuccessStatusCode();
        Assert.Equal((30, 20), (await silo.BalanceAsync("ada"), await silo.BalanceAsync("bruno")));

        using var other = await silo.PostAsync(
            "/transfers", new { from = "ada", to = "bruno", amount = 21 }, key: "order-4711");
        Assert.Equal(HttpStatusCode.UnprocessableEntity, other.StatusCode);
        Assert.Contains("order-4711", await other.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        using var wrong = await silo.PostAsync(
            "/transfers", new { from = "ada", to = "bruno", amount = 1 }, key: new string('k', 257));
        Assert.Equal(HttpStatusCode.BadRequest, wrong.StatusCode);
        Assert.Equal((30, 20), (await silo.BalanceAsync("ada"), await silo.BalanceAsync("bruno")));
    }

    [Fact]
    public async Task A_deposit_that_no_account_has_room_for_is_refused_for_good()
    {
        await using var silo = await RunningSilo.StartAsync();
        (await silo.PostAsync("/accounts/ada/deposits", new { amount = decimal.MaxValue })).EnsureSuccessStatusCode();
        using var answer = await silo.PostAsync("/accounts/ada/deposits", new { amount = 1 });
        Assert.Equal(HttpStatusCode.Conflict, answer.StatusCode);
        Assert.Contains("no room", await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        Assert.Equal(decimal.MaxValue, await silo.BalanceAsync("ada"));
    }

    [Fact]
    public async Task Each_port_serves_its_own_whatever_host_a_request_names()
    {
        await using var silo = await RunningSilo.StartAsync();
        (await silo.PostAsync("/accounts/ada/deposits", new { amount = 1 })).EnsureSuccessStatusCode();
        Assert.Equal(
            HttpStatusCode.NotFound,
            await silo.ForgeAsync(
                isManagement: true, HttpMethod.Post, "/accounts/ada/deposits", new { amount = 1_000_000 }));
        Assert.Equal(
            HttpStatusCode.NotFound, await silo.ForgeAsync(isManagement: true, HttpMethod.Get, "/accounts/ada"));
        Assert.Equal(
            HttpStatusCode.NotFound,
            await silo.ForgeAsync(isManagement: false, HttpMethod.Get, SiloEndpoints.Metrics));
        Assert.Equal(
            HttpStatusCode.NotFound, await silo.ForgeAsync(isManagement: false, HttpMethod.Get, SiloEndpoints.Ready));
        Assert.Equal(
            HttpStatusCode.NotFound,
            await silo.ForgeAsync(isManagement: false, HttpMethod.Get, SiloEndpoints.LiveView));
        Assert.Equal(1, await silo.BalanceAsync("ada"));
    }

    [Theory]
    [InlineData("ada", "bruno", 60, HttpStatusCode.Conflict, "ada has 0.00 and not 60.00")]
    [InlineData("ada", "ada", 1, HttpStatusCode.BadRequest, "two accounts")]
    [InlineData("ada", "bruno", -1, HttpStatusCode.BadRequest, "above 0")]
    [InlineData("ada", "bruno", "much", HttpStatusCode.BadRequest, "JSON")]
    public async Task What_cannot_be_done_is_refused_with_the_reason(
        string from, string to, object amount, HttpStatusCode status, string reason)
    {
        await using var silo = await RunningSilo.StartAsync();
        using var answer = await silo.PostAsync("/transfers", new { from, to, amount });
        Assert.Equal(status, answer.StatusCode);
        Assert.Contains(reason, await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }
}
