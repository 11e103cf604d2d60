using System.Net;
using System.Net.Sockets;

namespace Polyjuice.Benchmarking.Clusters;

/// <summary>Ports of this machine that nobody uses at the moment.</summary>
public static class LoopbackPorts
{
    /// <summary>So many different ones. Somebody else may take one before the caller does; the caller's start then fails and says so.</summary>
    public static int[] Free(int count)
    {
        // All are open at once, so that none comes twice.
        var listeners = Enumerable.Range(0, count).Select(_ => new TcpListener(IPAddress.Loopback, 0)).ToArray();
        try
        {
            foreach (var listener in listeners) listener.Start();
            return [.. listeners.Select(listener => ((IPEndPoint)listener.LocalEndpoint).Port)];
        }
        finally
        {
            foreach (var listener in listeners) listener.Dispose();
        }
    }
}
