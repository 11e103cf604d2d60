using Xunit.Abstractions;

namespace Polyjuice.Deploy.Tests.Pods;

/// <summary>
/// An update as the deployment makes it: a new silo is available before an old one goes, one at a time.
/// </summary>
[Collection(SiloPods.Collection)]
[RequiresKubectl]
[RequiresAzurite]
public sealed class RollingUpdateTests(ITestOutputHelper output)
{
    [ConditionalFact]
    public async Task Silos_are_replaced_one_by_one_under_load_and_no_call_fails()
    {
        await using var pods = await SiloPods.StartAsync(new Overlay("local", "bank"));
        await using var customers = new Customers(pods);
        await customers.BeginAsync();
        foreach (var old in pods.All)
        {
            await pods.AddAsync($"new-of-{old.Name}");
            var before = customers.Calls;
            var code = await old.EndAsync();
            Assert.True(code == 0, $"It ended with {code}. {old.Said()}");
            output.WriteLine(
                $"{old.Name} has gone; {customers.Calls - before} calls meanwhile, {customers.Calls} in all.");
        }

        var failures = await customers.StopAsync();
        Assert.True(
            failures.Count == 0,
            string.Join(
                '\n', [$"{failures.Count} of {customers.Calls} calls failed.", .. failures.Take(10), pods.Said()]));
        Assert.True(customers.Calls > 0);
        Assert.DoesNotContain(pods.All, pod => pod.HasFailed);
        Assert.True(await customers.IsConservedAsync());
    }
}
