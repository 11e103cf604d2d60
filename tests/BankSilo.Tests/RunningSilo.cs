using System.Diagnostics;
using System.Net;
using System.Net.Http.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using SiloHosting.Settings;

namespace SiloHosting.Tests;

/// <summary>
/// The program's own host, on ports of this machine that nobody else has.
/// Which program that is, each test project says (<c>SiloUnderTest</c>).
/// </summary>
internal sealed class RunningSilo : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    // A silo waits for an answer for 30 s, and then says itself, by 504,
    // that there is none. Who gives up at the same moment does not hear it.
    private readonly HttpClient _http = new() { Timeout = Timeout.InfiniteTimeSpan };
    private readonly int _httpPort;
    private readonly int _managementPort;

    private RunningSilo(int[] ports, string[] arguments)
    {
        (SiloPort, _httpPort, _managementPort) = (ports[0], ports[2], ports[3]);
        // A cluster of its own, unless the arguments name one: silos of one cluster and process share logs in memory.
        Host = SiloProgram.Build(
            [
                $"--Silo:ClusterId={SiloUnderTest.Application.Name}-{ports[0]}", $"--Silo:SiloPort={ports[0]}",
                $"--Silo:GatewayPort={ports[1]}", $"--Silo:HttpPort={ports[2]}", $"--Silo:ManagementPort={ports[3]}",
                "--Logging:LogLevel:Default=Warning", .. arguments,
            ],
            SiloUnderTest.Application);
    }

    public IHost Host { get; }

    public int SiloPort { get; }

    public IHostApplicationLifetime Lifetime => Host.Services.GetRequiredService<IHostApplicationLifetime>();

    /// <summary>Makes one, which is to be started.</summary>
    public static RunningSilo Create(params string[] arguments) => new(LoopbackPorts.Free(4), arguments);

    public static async Task<RunningSilo> StartAsync(params string[] arguments)
    {
        var silo = Create(arguments);
        try
        {
            await silo.Host.StartAsync();
            return silo;
        }
        catch
        {
            await silo.DisposeAsync();
            throw;
        }
    }

    /// <summary>What a path on the management port answers.</summary>
    public async Task<(HttpStatusCode Status, string Text)> AskAsync(string path)
    {
        using var answer = await _http.GetAsync($"http://127.0.0.1:{_managementPort}{path}");
        return (answer.StatusCode, (await answer.Content.ReadAsStringAsync()).TrimEnd());
    }

    /// <summary>Asks until it is ready and says this: it follows changes of the cluster at its own pace.</summary>
    public async Task ReadyAsync(string text)
    {
        var answer = await AskAsync(SiloEndpoints.Ready);
        for (var begun = Stopwatch.GetTimestamp(); answer != (HttpStatusCode.OK, text); answer = await AskAsync(
            SiloEndpoints.Ready))
            Assert.True(
                Stopwatch.GetElapsedTime(begun) < s_patience,
                $"It should be {text}, and for {s_patience} it has been: {answer.Status}, {answer.Text}");
    }

    public Task<HttpResponseMessage> GetAsync(string path) => _http.GetAsync($"http://127.0.0.1:{_httpPort}{path}");

    public Task<HttpResponseMessage> PostAsync(string path, object body, string? key = null) =>
        SendAsync(HttpMethod.Post, path, body, key);

    public Task<HttpResponseMessage> PutAsync(string path, object body) => SendAsync(HttpMethod.Put, path, body);

    private async Task<HttpResponseMessage> SendAsync(HttpMethod method, string path, object body, string? key = null)
    {
        using var request = new HttpRequestMessage(method, $"http://127.0.0.1:{_httpPort}{path}")
        {
            Content = JsonContent.Create(body)
        };
        if (key is not null) request.Headers.Add("Idempotency-Key", key);
        return await _http.SendAsync(request);
    }

    /// <summary>A request to one port whose Host header names the other.</summary>
    public async Task<HttpStatusCode> ForgeAsync(bool isManagement, HttpMethod method, string path, object? body = null)
    {
        var (port, other) = isManagement ? (_managementPort, _httpPort) : (_httpPort, _managementPort);
        using var request = new HttpRequestMessage(method, $"http://127.0.0.1:{port}{path}")
        {
            Content = body is null ? null : JsonContent.Create(body)
        };
        request.Headers.Host = $"bank:{other}";
        using var answer = await _http.SendAsync(request);
        return answer.StatusCode;
    }

    public async ValueTask DisposeAsync()
    {
        // What has not started has nothing to stop.
        if (Lifetime.ApplicationStarted.IsCancellationRequested) await Host.StopAsync();
        if (Host is IAsyncDisposable host) await host.DisposeAsync();
        _http.Dispose();
    }
}
