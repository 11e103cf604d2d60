using Polyjuice.Tests.Shared;
using System.Net;
using System.Net.Sockets;

namespace Polyjuice.Testing.Tests.Shared;

public class LoopbackPortsTests
{
    [Fact]
    public void No_port_comes_twice_and_none_is_of_those_that_connections_get()
    {
        int[] ports = [.. LoopbackPorts.Free(20), .. LoopbackPorts.Free(20)];
        Assert.Equal(40, ports.Distinct().Count());
        Assert.All(ports, port => Assert.InRange(port, 10_000, 32_767));
    }

    [Fact]
    public void A_port_that_somebody_listens_on_is_passed_over()
    {
        using var listener = ListenOnTheNext();
        Assert.DoesNotContain(((IPEndPoint)listener.LocalEndpoint).Port, LoopbackPorts.Free(3));
    }

    [Fact]
    public void A_port_that_another_process_has_is_passed_over_although_nobody_listens_there_yet()
    {
        using var other = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        var next = LoopbackPorts.Free(1)[0] + 1;
        while (true)
        {
            try
            {
                other.Bind(new IPEndPoint(IPAddress.Loopback, next));
                break;
            }
            catch (SocketException)
            {
                // Somebody else has it; the one after it, then.
                next++;
            }
        }

        Assert.DoesNotContain(next, LoopbackPorts.Free(3));
    }

    private static TcpListener ListenOnTheNext()
    {
        while (true)
        {
            var listener = new TcpListener(IPAddress.Loopback, LoopbackPorts.Free(1)[0] + 1);
            try
            {
                listener.Start();
                return listener;
            }
            catch (SocketException)
            {
                // Somebody else does already; the one after it, then.
                listener.Dispose();
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1_001)]
    public void A_number_out_of_its_bounds_is_refused(int count) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => LoopbackPorts.Free(count));
}
