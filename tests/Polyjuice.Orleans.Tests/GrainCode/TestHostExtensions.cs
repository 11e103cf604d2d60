namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>Where in a cluster grains are.</summary>
internal static class TestHostExtensions
{
    /// <summary>
    /// A key of a grain that lives on a given silo, if it has
    /// transactional states; others live where their host puts them.
    /// </summary>
    public static string KeyOn<TGrain>(
        this TestHost cluster, int silo, string prefix = "k") where TGrain : IGrainWithStringKey
    {
        for (var i = 0; ; i++)
        {
            if (cluster.SiloOf(cluster.Client.GetGrain<TGrain>(prefix + i)) == silo) return prefix + i;
        }
    }

    /// <summary>A reference to such a grain.</summary>
    public static TGrain GrainOn<TGrain>(
        this TestHost cluster, int silo, string prefix = "k") where TGrain : IGrainWithStringKey =>
        cluster.Client.GetGrain<TGrain>(cluster.KeyOn<TGrain>(silo, prefix));
}
