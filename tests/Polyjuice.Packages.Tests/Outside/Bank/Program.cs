using System.Net;
using Bank;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

// A cluster of two silos in this process. Arguments: the ports of both silos, the ports of both gateways.
var ports = args.Select(int.Parse).ToArray();
var silos = new[] { Silo(0), Silo(1) };
foreach (var silo in silos) await silo.StartAsync();

var grains = silos[0].Services.GetRequiredService<IGrainFactory>();
var accounts = Enumerable.Range(0, 10).Select(key => grains.GetGrain<IAccountGrain>(key)).ToArray();
var found = 0;
await Task.WhenAll(accounts.Select(async account =>
{
    if (await account.Balance() == 0) await account.Deposit(100);
    else Interlocked.Increment(ref found);
}));

// Each customer pays accounts in ascending order, so that an engine that locks has nothing to wait for in circles.
var sent = 0;
await Task.WhenAll(Enumerable.Range(0, 3).Select(async customer =>
{
    for (var from = 0; from < accounts.Length - 1; from++)
    {
        var isSent = false;
        for (var tries = 0; !isSent && tries < 20; tries++)
        {
            try
            {
                isSent = await accounts[from].Send(accounts[from + 1], 10);
            }
            catch (Orleans.Transactions.OrleansTransactionAbortedException)
            {
                await Task.Delay(50);
            }
        }

        if (isSent) Interlocked.Increment(ref sent);
    }
}));

var client = silos[0].Services.GetRequiredService<ITransactionClient>();
long total = 0;
await client.RunTransaction(TransactionOption.Create, async () =>
{
    var balances = await Task.WhenAll(accounts.Select(account => account.Balance()));
    total = balances.Sum();
});

Console.WriteLine($"engine: {client.GetType().Assembly.GetName().Name}");
Console.WriteLine($"found: {found}");
Console.WriteLine($"sent: {sent > 0}");
Console.WriteLine($"total: {total}");

// Clients in other processes may come, until whoever started this one closes its input.
Console.WriteLine("open");
while (Console.ReadLine() is not null) ;
foreach (var silo in silos.Reverse()) await silo.StopAsync();
return total == 1_000 ? 0 : 1;

IHost Silo(int number)
{
    var builder = Host.CreateApplicationBuilder();
    builder.Logging.SetMinimumLevel(LogLevel.Error);
    var primary = new IPEndPoint(IPAddress.Loopback, ports[0]);
    builder.UseOrleans(silo => silo
        .UseLocalhostClustering(ports[number], ports[2 + number], primary, "bank", "bank")
        .AddMemoryGrainStorageAsDefault()
        .UseTransactions());
    return builder.Build();
}
