using Microsoft.Extensions.Logging;
using Orleans.Hosting;

namespace BankAccount;

/// <summary>What the sample says to Orleans alone.</summary>
internal static class GrainHost
{
    /// <summary>For people.</summary>
    public const string Name = "a silo of Orleans";

    /// <summary>Accounts that end with this process, and no advice for servers, which this is not.</summary>
    public static ISiloBuilder Configure(ISiloBuilder silo) => silo
        .AddMemoryLogAsDefault()
        .ConfigureLogging(logging => logging.AddFilter("Orleans.Runtime", LogLevel.Error));
}
