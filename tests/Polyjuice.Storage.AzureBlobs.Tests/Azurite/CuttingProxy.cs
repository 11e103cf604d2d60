using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>
/// A way to the service that is cut, on the wire, when the service
/// has done what it was asked and before its answer has passed.
/// </summary>
internal sealed class CuttingProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _ended = new();
    private readonly int _to;
    private readonly Task _accepting;
    private int _cuts;

    public CuttingProxy(int to)
    {
        _to = to;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>How many connections were made.</summary>
    public int Connections { get; private set; }

    /// <summary>Cuts the connection of the next append, which has carried other requests before.</summary>
    public void CutNextAppend() => Interlocked.Exchange(ref _cuts, 1);

    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync();
        _listener.Stop();
        await _accepting;
    }

    private async Task AcceptAsync()
    {
        var connections = new List<Task>();
        try
        {
            while (true)
            {
                var client = await _listener.AcceptTcpClientAsync(_ended.Token);
                Connections++;
                connections.Add(CarryAsync(client));
            }
        }
        catch (Exception exception)
            when (exception is OperationCanceledException or SocketException or ObjectDisposedException)
        {
        }

        await Task.WhenAll(connections);
    }

    private async Task CarryAsync(TcpClient client)
    {
        using var server = new TcpClient();
        try
        {
            await server.ConnectAsync(IPAddress.Loopback, _to, _ended.Token);
            var isCut = false;
            var there = PumpAsync(client.GetStream(), server.GetStream(), bytes =>
            {
                if (Encoding.ASCII.GetString(bytes).Contains("comp=appendblock", StringComparison.Ordinal)
                    && Interlocked.Exchange(ref _cuts, 0) == 1)
                    isCut = true;
                return true;
            });
            var back = PumpAsync(server.GetStream(), client.GetStream(), _ => !isCut);
            await Task.WhenAny(there, back);
            client.Dispose();
            server.Dispose();
            await Task.WhenAll(there, back);
        }
        catch (Exception exception)
            when (exception is IOException or SocketException or OperationCanceledException or ObjectDisposedException)
        {
        }
        finally
        {
            client.Dispose();
        }
    }

    private async Task PumpAsync(NetworkStream from, NetworkStream to, Func<byte[], bool> mayPass)
    {
        var buffer = new byte[1 << 16];
        int read;
        while ((read = await from.ReadAsync(buffer, _ended.Token)) > 0)
        {
            if (!mayPass(buffer[..read])) return;
            await to.WriteAsync(buffer.AsMemory(0, read), _ended.Token);
        }
    }
}
