using BankAccount;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans;

CommandLine options;
try
{
    options = CommandLine.Parse(args);
}
catch (FormatException exception)
{
    Console.Error.WriteLine(exception.Message);
    Console.Error.WriteLine("Try --help.");
    return 2;
}

if (options.IsHelp)
{
    Console.WriteLine(CommandLine.Help);
    return 0;
}

using var host = Bank.Build();
await host.StartAsync();

// Ctrl-C and SIGTERM end the loop in good order; the host stops below, when the last transfer has ended.
var ending = host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping;
Console.WriteLine("The bank runs on a silo of Orleans.");
var result = await new TransferLoop(host.Services.GetRequiredService<IGrainFactory>(), options, Console.Out).RunAsync(
    ending);
Console.WriteLine(result);
await host.StopAsync();
return result.IsMoneyConserved ? 0 : 1;
