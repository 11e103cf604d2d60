using System.Net;
using System.Net.Sockets;
using SiloHosting.Settings;

namespace BankSilo.Tests.Health;

public sealed class HealthTests
{
    [Fact]
    public async Task A_silo_that_has_started_is_ready()
    {
        await using var silo = await RunningSilo.StartAsync();
        Assert.Equal(
            (HttpStatusCode.OK, "active, serves 4 of 4 log partitions"), await silo.AskAsync(SiloEndpoints.Ready));
        Assert.Equal(HttpStatusCode.OK, (await silo.AskAsync(SiloEndpoints.Started)).Status);
        Assert.Equal(HttpStatusCode.OK, (await silo.AskAsync(SiloEndpoints.Live)).Status);
    }

    [Fact]
    public async Task A_silo_that_cannot_read_its_logs_yet_is_alive_and_not_ready()
    {
        // A store that takes requests and does not answer.
        using var store = new TcpListener(IPAddress.Loopback, 0);
        store.Start();
        await using var silo = RunningSilo.Create(
            "--Silo:Logs=AzureBlobs",
            $"--AzureBlobLog:ServiceUri=http://127.0.0.1:{((IPEndPoint)store.LocalEndpoint).Port}/account?sig=none",
            "--AzureBlobLog:RequestTimeout=00:00:30");
        using var cancel = new CancellationTokenSource();
        var starting = silo.Host.StartAsync(cancel.Token);
        using var request = await store.AcceptTcpClientAsync().WaitAsync(TimeSpan.FromMinutes(2));

        var ready = await silo.AskAsync(SiloEndpoints.Ready);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, ready.Status);
        Assert.StartsWith("not an active member yet", ready.Text, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, (await silo.AskAsync(SiloEndpoints.Started)).Status);
        Assert.Equal(HttpStatusCode.OK, (await silo.AskAsync(SiloEndpoints.Live)).Status);
        using var refused = await silo.GetAsync("/accounts/ada");
        Assert.Equal(HttpStatusCode.ServiceUnavailable, refused.StatusCode);
        Assert.False(starting.IsCompleted);

        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<Exception>(() => starting);
    }

    [Fact]
    public async Task A_silo_that_drains_is_alive_and_not_ready_and_has_started()
    {
        await using var silo = await RunningSilo.StartAsync();
        (HttpStatusCode Status, string Text) ready = default, started = default, live = default, work = default;

        // The host waits for these before it stops anything.
        silo.Lifetime.ApplicationStopping.Register(() => Task.Run(async () =>
        {
            ready = await silo.AskAsync(SiloEndpoints.Ready);
            started = await silo.AskAsync(SiloEndpoints.Started);
            live = await silo.AskAsync(SiloEndpoints.Live);
            using var refused = await silo.GetAsync("/accounts/ada");
            work = (refused.StatusCode, refused.Headers.RetryAfter!.ToString());
        }).GetAwaiter().GetResult());
        await silo.Host.StopAsync();

        Assert.Equal((HttpStatusCode.ServiceUnavailable, "draining"), ready);
        Assert.Equal(HttpStatusCode.OK, started.Status);
        Assert.Equal(HttpStatusCode.OK, live.Status);
        Assert.Equal((HttpStatusCode.ServiceUnavailable, "1"), work);
        await Assert.ThrowsAsync<HttpRequestException>(() => silo.AskAsync(SiloEndpoints.Live));
    }

    [Fact]
    public async Task Each_port_has_its_own_paths_alone()
    {
        await using var silo = await RunningSilo.StartAsync();
        using var metrics = await silo.GetAsync(SiloEndpoints.Metrics);
        Assert.Equal(HttpStatusCode.NotFound, metrics.StatusCode);
        Assert.Equal(HttpStatusCode.NotFound, (await silo.AskAsync("/accounts/ada")).Status);
    }
}
