using Bank;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

// A client of the cluster, and nothing else. Argument: a gateway's port.
var builder = Host.CreateApplicationBuilder();
builder.Logging.SetMinimumLevel(LogLevel.Error);
builder.UseOrleansClient(client => client
    .UseLocalhostClustering(int.Parse(args[0]), "bank", "bank")
    .UsePolyjuice());
using var host = builder.Build();
await host.StartAsync();

var transactions = host.Services.GetRequiredService<ITransactionClient>();
Console.WriteLine($"engine: {transactions.GetType().Assembly.GetName().Name}");

// Two calls of the client's own, in one transaction.
var grains = host.Services.GetRequiredService<IGrainFactory>();
var (first, second) = (grains.GetGrain<IAccountGrain>(101), grains.GetGrain<IAccountGrain>(102));
await transactions.RunTransaction(TransactionOption.Create, async () =>
{
    await first.Deposit(70);
    await first.Send(second, 30);
});
Console.WriteLine($"balances: {await first.Balance()} {await second.Balance()}");
await host.StopAsync();
