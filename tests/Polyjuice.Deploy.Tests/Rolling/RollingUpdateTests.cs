using Xunit.Abstractions;

namespace Polyjuice.Deploy.Tests.Rolling;

/// <summary>An update as the deployment makes it: a new silo is available before an old one goes, one at a time.</summary>
[RequiresKubectl]
[RequiresAzurite]
public sealed class RollingUpdateTests(ITestOutputHelper output)
{
    [ConditionalFact]
    public async Task Silos_are_replaced_one_by_one_under_load_and_no_call_fails()
    {
        await using var azurite = await AzuriteServer.StartAsync();
        var overlay = new Overlay("local");
        var secrets = overlay.Content("secrets")!.ToDictionary(secret => secret.Key, _ => azurite.ConnectionString);
        var pods = new List<SiloPod>();
        SiloPod[] Pods()
        {
            lock (pods) return [.. pods];
        }

        try
        {
            var replicas = (int)overlay.Deployment["spec"]!["replicas"]!;
            for (var i = 0; i < replicas; i++) await AddAsync($"old-{i}");
            await using var customers = new Customers(Pods);
            await customers.BeginAsync();

            foreach (var old in Pods())
            {
                await AddAsync($"new-of-{old.Name}");
                var before = customers.Calls;
                var code = await old.EndAsync();
                Assert.True(code == 0, $"It ended with {code}. {old.Said()}");
                output.WriteLine($"{old.Name} has gone; {customers.Calls - before} calls meanwhile, {customers.Calls} in all.");
            }

            var failures = await customers.StopAsync();
            Assert.True(failures.Count == 0, string.Join('\n', [$"{failures.Count} of {customers.Calls} calls failed.", .. failures.Take(10), .. Pods().Select(pod => pod.Said())]));
            Assert.True(customers.Calls > 0);
            Assert.DoesNotContain(Pods(), pod => pod.HasFailed);
            Assert.True(await customers.IsConservedAsync());
        }
        finally
        {
            foreach (var pod in pods) await pod.DisposeAsync();
        }

        async Task AddAsync(string name)
        {
            var pod = await SiloPod.StartAsync(overlay, name, secrets);
            lock (pods) pods.Add(pod);
        }
    }
}
