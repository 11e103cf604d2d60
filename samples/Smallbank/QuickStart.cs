using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Hosting;
using Smallbank.Grains;

namespace Smallbank;

/// <summary>One payment on one silo, set up as an application does it: this is the code to start from.</summary>
internal static class QuickStart
{
    /// <summary>The folder that keeps the balances, if none is named.</summary>
    public const string DefaultData = "data";

    /// <summary>The name of the place that ends with the process.</summary>
    public const string Memory = "memory";

    public static async Task RunAsync(string data, TextWriter output)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.SetMinimumLevel(LogLevel.Warning).AddFilter("Orleans.Runtime", LogLevel.Error);
        builder.UseOrleans(silo =>
        {
            silo.UseLocalhostClustering().UsePolyjuice(options => options.Policy = "ic3");
            if (data == Memory) silo.AddMemoryLogAsDefault();
            else silo.AddFileLogAsDefault(options => options.Directory = data);
        });

        using var host = builder.Build();
        await host.StartAsync();

        var grains = host.Services.GetRequiredService<IGrainFactory>();
        var (alice, bob) = (grains.GetGrain<IAccountGrain>(1), grains.GetGrain<IAccountGrain>(2));
        if (await alice.Balance() + await bob.Balance() == 0)
            await Task.WhenAll(alice.Open(checking: 100_00, savings: 0), bob.Open(checking: 0, savings: 0));

        // One transaction over two grains: both balances change, or neither does.
        // Whoever has more pays; an earlier run's balances are still there.
        var alicePays = await alice.Balance() >= await bob.Balance();
        await (alicePays ? alice.SendPayment(to: 2, amount: 30_00) : bob.SendPayment(to: 1, amount: 30_00));
        output.WriteLine(
            $"A payment of 30.00 by {(alicePays ? "Alice" : "Bob")}: Alice has {await alice.Balance() / 100m:N2}, Bob "
            + $"has {await bob.Balance() / 100m:N2}. (Kept in: {data})");

        await host.StopAsync();
    }
}
