using BankSilo;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Runtime;
using Polyjuice.Policies;

try
{
    using var host = BankSiloHost.Build(args);

    // Until SIGTERM or Ctrl-C: then it is not ready any more, hands its partitions over, and ends.
    await host.RunAsync();
    return 0;
}
catch (OperationCanceledException)
{
    // Told to stop before it had started.
    return 0;
}
catch (Exception exception) when (exception is OptionsValidationException or OrleansConfigurationException or PolicyFormatException or IOException)
{
    await Console.Error.WriteLineAsync(exception.Message);
    return 2;
}
