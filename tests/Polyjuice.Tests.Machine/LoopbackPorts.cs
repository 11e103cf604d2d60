using System.Net;
using System.Net.Sockets;

namespace Polyjuice.Tests.Shared;

/// <summary>Ports of this machine that nobody uses at the moment. Thread-safe.</summary>
/// <remarks>
/// They are below those that systems give to whoever connects to something (from 32,768 on Linux, from 49,152
/// elsewhere, by default): what was free is not taken by the next connection before the caller listens there. Nor does
/// a process get one twice. Different processes begin to look at different places, and pass over what another one has:
/// who gets a port keeps the datagram port of the same number until its process ends, which nobody here listens on.
/// </remarks>
public static class LoopbackPorts
{
    private const int Least = 10_000;
    private const int Count = 12_000;

    private static readonly Lock s_gate = new();
    private static readonly List<Socket> s_claims = [];
    private static int s_next = Random.Shared.Next(Count);

    /// <summary>
    /// So many different ones. Another program may take one before the
    /// caller does; the caller's start then fails and says so.
    /// </summary>
    /// <param name="count">How many, from 1 to 1,000.</param>
    /// <exception cref="IOException">There are not so many.</exception>
    public static int[] Free(int count)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, 1_000);
        var found = new List<int>(count);
        lock (s_gate)
        {
            for (var looked = 0; found.Count < count; looked++)
            {
                if (looked == Count)
                    throw new IOException(
                        $"Of the ports {Least} to {Least + Count - 1} of this machine, only {found.Count} are free, "
                        + $"and {count} are needed.");
                var port = Least + s_next;
                s_next = (s_next + 1) % Count;
                if (Claim(port) && IsFree(port)) found.Add(port);
            }
        }

        return [.. found];
    }

    private static bool IsFree(int port)
    {
        using var listener = new TcpListener(IPAddress.Loopback, port);
        try
        {
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static bool Claim(int port)
    {
        var claim = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
        {
            ExclusiveAddressUse = true,
        };
        try
        {
            claim.Bind(new IPEndPoint(IPAddress.Loopback, port));
        }
        catch (SocketException)
        {
            claim.Dispose();
            return false;
        }

        s_claims.Add(claim);
        return true;
    }
}
