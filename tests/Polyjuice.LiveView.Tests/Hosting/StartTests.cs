using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Polyjuice.LiveView.Hosting;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Tests.Hosting;

public sealed class StartTests
{
    [Fact]
    public async Task A_policy_that_the_application_lacks_is_refused_at_start()
    {
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => RunningView.StartAsync(options => options.AuthorizationPolicy = "nobody"));
        Assert.Contains("\"nobody\"", exception.Message, StringComparison.Ordinal);
        Assert.Contains("AddPolicy", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Options_out_of_their_bounds_are_refused_at_start_by_name()
    {
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => RunningView.StartAsync(options => options.EventStreamsMax = 0));
        Assert.Contains(nameof(LiveViewOptions.EventStreamsMax), exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_process_without_a_web_server_has_the_views_own_on_this_machine_alone()
    {
        using var host = Host();
        await host.StartAsync();
        var server = host.Services.GetRequiredService<LiveViewServer>();
        Assert.True(server.Address.IsLoopback);
        using var client = new HttpClient { BaseAddress = server.Address };
        Assert.Contains("Policy table", await client.GetStringAsync(""), StringComparison.Ordinal);
        Assert.Contains("\"mayAct\":false", await client.GetStringAsync("api/v1/status"), StringComparison.Ordinal);
        await host.StopAsync();
        await Assert.ThrowsAsync<HttpRequestException>(() => client.GetStringAsync("api/v1/status"));
    }

    [Fact]
    public async Task A_page_that_follows_does_not_keep_the_server_from_stopping()
    {
        // The host itself would wait for ever.
        using var host = Host(shutdownTimeout: Timeout.InfiniteTimeSpan);
        await host.StartAsync();
        using var client = new HttpClient { BaseAddress = host.Services.GetRequiredService<LiveViewServer>().Address };
        using var following = await client.GetAsync("api/v1/events", HttpCompletionOption.ResponseHeadersRead);
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(3));
        await host.StopAsync(patience.Token);
        Assert.False(patience.IsCancellationRequested);
    }

    [Fact]
    public async Task A_port_that_is_taken_is_said_with_what_to_do()
    {
        using var first = Host();
        await first.StartAsync();
        var port = first.Services.GetRequiredService<LiveViewServer>().Address.Port;
        using var second = Host(port);
        var exception = await Assert.ThrowsAsync<IOException>(() => second.StartAsync());
        Assert.Contains($"port {port}", exception.Message, StringComparison.Ordinal);
        await first.StopAsync();
    }

    private static IHost Host(int port = 0, TimeSpan? shutdownTimeout = null)
    {
        var builder = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(new());
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.AddSingleton(new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get("occ")));
        builder.Services.AddPolyjuiceLiveViewServer(options => options.Port = port);
        if (shutdownTimeout is { } timeout) builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = timeout);
        return builder.Build();
    }
}
