using Polyjuice.Embedded;
using Polyjuice.Simulation.Faults;
using Smallbank.Grains;

namespace Smallbank.Tests.Simulated;

/// <summary>How a user tests grains of their own in simulated time. The documentation shows this method as it is.</summary>
public class OwnGrainsTests
{
    // [example]
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Payments_neither_make_nor_lose_money_whatever_goes_wrong(ulong seed)
    {
        var options = new EmbeddedClusterOptions { Silos = 3, PolicyName = "ic3", ResponseTimeout = TimeSpan.FromSeconds(3) };
        options.ApplicationAssemblies.Add(typeof(AccountGrain).Assembly);
        using var cluster = EmbeddedCluster.Simulate(options, new SimulationOptions { Seed = seed });
        IAccountGrain Account(long key) => cluster.Client.GetGrain<IAccountGrain>(key);

        // A calm start: twenty accounts with 100 each.
        cluster.Run(() => Task.WhenAll(Enumerable.Range(0, 20).Select(key => Account(key).Open(100, 0))));

        // Eight clients, while silos die, messages get lost, appends fail, clocks jump: as often as this seed says.
        cluster.StartFaults(SimulatedFaults.Random(seed, FaultKinds.All));
        cluster.Run(() => Task.WhenAll(Enumerable.Range(0, 8).Select(_ => PayAsync())));
        cluster.StopFaults();

        // Everything ends, and the logs alone give it back.
        cluster.Settle();
        cluster.RestartAll();
        var balances = cluster.Run(() => Task.WhenAll(Enumerable.Range(0, 20).Select(key => Account(key).Balance())));
        Assert.Equal(20 * 100, balances.Sum());

        async Task PayAsync()
        {
            for (var i = 0; i < 25; i++)
            {
                // Random numbers and time are the run's own, so that the seed decides them too.
                var (from, to) = (cluster.Random.Next(20), cluster.Random.Next(20));
                await Task.Delay(TimeSpan.FromMilliseconds(cluster.Random.Next(5)), cluster.TimeProvider);
                try
                {
                    if (from != to) await Account(from).SendPayment(to, 10);
                }
                catch (Exception exception) when (exception is Orleans.Runtime.OrleansException or Orleans.Runtime.SiloUnavailableException or TimeoutException)
                {
                    // Aborted, or nobody knows: no reason to lose money either.
                }
            }
        }
    }
    // [/example]

    [Fact]
    public void The_documentation_shows_this_example()
    {
        var root = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(root, "Polyjuice.sln"))) root = Path.GetDirectoryName(root) ?? throw new InvalidOperationException("These tests run inside of the repository.");
        var source = File.ReadAllText(Path.Combine(root, "tests/Smallbank.Tests/Simulated/OwnGrainsTests.cs"));
        var example = source.Split("    // [example]\n")[1].Split("    // [/example]")[0];
        var unindented = string.Join('\n', example.TrimEnd().Split('\n').Select(line => line.Length > 4 ? line[4..] : line));
        Assert.Contains(unindented, File.ReadAllText(Path.Combine(root, "docs/embedded.md")), StringComparison.Ordinal);
    }
}
