using Orleans.Hosting;
using Polyjuice.Embedded;

namespace BankAccount;

/// <summary>What the sample says to the embedded host alone.</summary>
internal static class GrainHost
{
    /// <summary>For people.</summary>
    public const string Name = "two silos of the embedded host";

    /// <summary>Two silos in this process, whose accounts end with it.</summary>
    public static ISiloBuilder Configure(ISiloBuilder silo) => silo.UseEmbeddedCluster(options =>
    {
        options.Silos = 2;
        options.Data = EmbeddedCluster.MemoryData;
    });
}
