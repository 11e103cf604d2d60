using Microsoft.Extensions.Configuration;
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
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(
            () => RunningView.StartAsync(options => options.AuthorizationPolicy = "nobody"));
        Assert.Contains("\"nobody\"", exception.Message, StringComparison.Ordinal);
        Assert.Contains("AddPolicy", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Options_out_of_their_bounds_are_refused_at_start_with_name_value_and_bounds()
    {
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(
            () => RunningView.StartAsync(options => options.EventStreamsMax = 0));
        Assert.Contains("LiveViewOptions.EventStreamsMax is 0:", exception.Message, StringComparison.Ordinal);
        Assert.Contains("between 1 and 1000", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_come_from_the_configuration_and_code_goes_before_it()
    {
        using var host = Host(configuration: new()
        {
            ["Title"] = "Bank", ["EventStreamsMax"] = "3", ["AuthorizationPolicy"] = "operators",
            ["Server:Port"] = "5081",
        });
        var (view, server) = (Of<LiveViewOptions>(host), Of<LiveViewServerOptions>(host));
        Assert.Equal(("Bank", 3, "operators"), (view.Title, view.EventStreamsMax, view.AuthorizationPolicy));

        // The host's code says 0.
        Assert.Equal(0, server.Port);
        using var other = Host(port: null, configuration: new() { ["Server:Port"] = "5081" });
        Assert.Equal(5_081, Of<LiveViewServerOptions>(other).Port);
    }

    [Theory]
    [InlineData("EventStreamsMax", "1001", "LiveViewOptions.EventStreamsMax is 1001:", "between 1 and 1000")]
    [InlineData("Server:Port", "70000", "LiveViewServerOptions.Port is 70000:", "between 0 and 65535")]
    [InlineData("Titel", "Bank", "'Polyjuice:LiveView:Titel'", "Title")]
    [InlineData("Server:Prot", "80", "'Polyjuice:LiveView:Server:Prot'", "Port")]
    public async Task What_the_configuration_says_wrong_is_refused_at_start_by_name_with_what_there_is(
        string key, string value, string expected, string known)
    {
        using var host = Host(port: null, configuration: new() { [key] = value });
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
        Assert.Contains(known, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_value_that_can_not_be_read_is_refused_by_name()
    {
        using var host = Host(configuration: new() { ["EventStreamsMax"] = "many" });
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync());
        Assert.Contains("Polyjuice:LiveView:EventStreamsMax", exception.Message, StringComparison.Ordinal);
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

    private static TOptions Of<TOptions>(IHost host) where TOptions : class =>
        host.Services.GetRequiredService<IOptions<TOptions>>().Value;

    private static IHost Host(
        int? port = 0, TimeSpan? shutdownTimeout = null, Dictionary<string, string?>? configuration = null)
    {
        var builder = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(new());
        builder.Configuration.AddInMemoryCollection((configuration ?? []).Select(
            pair => KeyValuePair.Create($"Polyjuice:LiveView:{pair.Key}", pair.Value)));
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.AddSingleton(new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get("occ")));
        if (port is { } named) builder.Services.AddPolyjuiceLiveViewServer(options => options.Port = named);
        else builder.Services.AddPolyjuiceLiveViewServer();
        if (shutdownTimeout is { } timeout)
            builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = timeout);
        return builder.Build();
    }
}
