using System.Net;
using System.Net.Sockets;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// A way to the server on which a request that holds a mark is lost, torn, or loses its answer; then the connection
/// is cut.
/// </summary>
public sealed class WireProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _ended = new();
    private readonly int _to;
    private readonly Task _accepting;
    private Fault? _next;

    public WireProxy(int to)
    {
        _to = to;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>What becomes of the next request that holds a mark. The result is complete when it has come.</summary>
    public Task Next(byte[] mark, WireFault kind)
    {
        var fault = new Fault(mark, kind);
        Volatile.Write(ref _next, fault);
        return fault.Happened.Task;
    }

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
            while (true) connections.Add(CarryAsync(await _listener.AcceptTcpClientAsync(_ended.Token)));
        }
        catch (Exception exception) when (
            exception is OperationCanceledException or SocketException or ObjectDisposedException)
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
            (client.NoDelay, server.NoDelay) = (true, true);
            Fault? fault = null;
            var there = PumpAsync(client.GetStream(), server.GetStream(), bytes =>
            {
                if (Volatile.Read(ref _next) is not { } next
                    || bytes.Span.IndexOf(next.Mark) is not (var at and >= 0)) return bytes.Length;
                Volatile.Write(ref _next, null);
                fault = next;
                next.Happened.SetResult();
                return next.Kind switch
                {
                    WireFault.RequestIsLost => 0,
                    WireFault.RequestIsTorn => at + 1,
                    _ => bytes.Length,
                };
            });
            var back = PumpAsync(
                server.GetStream(), client.GetStream(), bytes => fault?.Kind is WireFault.AnswerIsLost ? 0
                : bytes.Length);
            await Task.WhenAny(there, back);
            client.Dispose();
            server.Dispose();
            await Task.WhenAll(there, back);
        }
        catch (Exception exception) when (
            exception is IOException or SocketException or OperationCanceledException or ObjectDisposedException)
        {
        }
        finally
        {
            client.Dispose();
        }
    }

    // Ends when not all that came may pass.
    private async Task PumpAsync(NetworkStream from, NetworkStream to, Func<ReadOnlyMemory<byte>, int> mayPass)
    {
        var buffer = new byte[1 << 16];
        int read;
        while ((read = await from.ReadAsync(buffer, _ended.Token)) > 0)
        {
            var pass = mayPass(buffer.AsMemory(0, read));
            await to.WriteAsync(buffer.AsMemory(0, pass), _ended.Token);
            if (pass < read) return;
        }
    }

    private sealed record Fault(byte[] Mark, WireFault Kind)
    {
        public TaskCompletionSource Happened { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}

/// <summary>What becomes of a request.</summary>
public enum WireFault
{
    /// <summary>Nothing: it is only looked at.</summary>
    None,

    /// <summary>The server never sees it.</summary>
    RequestIsLost,

    /// <summary>The server sees its beginning.</summary>
    RequestIsTorn,

    /// <summary>The server does what it says, and nobody is told.</summary>
    AnswerIsLost,
}
