using Polyjuice.Policies;

namespace Polyjuice.LiveView.Tests;

public sealed class StandaloneLiveViewTests
{
    [Fact]
    public async Task It_shows_what_runs_by_a_store_until_it_is_disposed()
    {
        var policies = new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get("occ"));
        using var client = new HttpClient();
        Uri address;
        await using (var view = await StandaloneLiveView.StartAsync(policies, 0, "A benchmark", CancellationToken.None))
        {
            address = view.Address;
            policies.Swap(BuiltinPolicies.Get("ic3"));
            Assert.Contains(
                "\"title\":\"A benchmark\"",
                await client.GetStringAsync(new Uri(address, "api/v1/status")),
                StringComparison.Ordinal);
            Assert.Contains(
                "\"name\":\"ic3\"",
                await client.GetStringAsync(new Uri(address, "api/v1/policies/current")),
                StringComparison.Ordinal);
        }

        await Assert.ThrowsAsync<HttpRequestException>(() => client.GetStringAsync(address));
    }

    [Fact]
    public async Task A_port_that_is_taken_is_said()
    {
        var policies = new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get("occ"));
        await using var first = await StandaloneLiveView.StartAsync(policies, 0, "One", CancellationToken.None);
        var exception = await Assert.ThrowsAsync<IOException>(
            () => StandaloneLiveView.StartAsync(policies, first.Address.Port, "Another", CancellationToken.None));
        Assert.Contains("Name another port", exception.Message, StringComparison.Ordinal);
    }
}
