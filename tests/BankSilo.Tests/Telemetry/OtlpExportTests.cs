using System.Net;
using System.Text;
using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace BankSilo.Tests.Telemetry;

public sealed class OtlpExportTests
{
    [Fact]
    public async Task A_collector_gets_the_engines_metrics_and_a_span_for_each_transaction()
    {
        await using var collector = await Collector.StartAsync();
        await using (var silo = await RunningSilo.StartAsync(
            $"--Silo:OtlpEndpoint={collector.Address}", "--Silo:OtlpInterval=00:00:01", "--Silo:OtlpTraces=true"))
        {
            (await silo.PostAsync("/accounts/ada/deposits", new { amount = 50 })).EnsureSuccessStatusCode();
            await collector.HearAsync("/v1/metrics", "polyjuice.commits");
        }

        await collector.HearAsync("/v1/metrics", "polyjuice.transaction.duration");
        await collector.HearAsync("/v1/traces", "IAccountGrain.Deposit");
    }

    [Fact]
    public async Task A_collector_that_is_not_there_costs_the_bank_nothing()
    {
        var port = LoopbackPorts.Free(1)[0];
        await using var silo = await RunningSilo.StartAsync(
            $"--Silo:OtlpEndpoint=http://127.0.0.1:{port}", "--Silo:OtlpInterval=00:00:01");
        (await silo.PostAsync("/accounts/ada/deposits", new { amount = 50 })).EnsureSuccessStatusCode();
        Assert.Equal(50, await silo.BalanceAsync("ada"));
    }

    [Fact]
    public void An_address_that_is_none_is_refused_by_name()
    {
        var exception = Assert.Throws<OptionsValidationException>(
            () => RunningSilo.Create("--Silo:OtlpEndpoint=collector:4318"));
        Assert.Contains("Silo:OtlpEndpoint", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_live_view_is_on_the_management_port()
    {
        await using var silo = await RunningSilo.StartAsync();
        var (status, text) = await silo.AskAsync("/polyjuice/");
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Contains("Policy table", text, StringComparison.Ordinal);
        Assert.Contains(
            "\"mayAct\":false", (await silo.AskAsync("/polyjuice/api/v1/status")).Text, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.NotFound, (await silo.GetAsync("/polyjuice/")).StatusCode);
    }

    /// <summary>Keeps what it is sent.</summary>
    private sealed class Collector : IAsyncDisposable
    {
        private readonly Channel<(string Path, string Body)> _received = Channel.CreateUnbounded<(string, string)>();
        private readonly List<(string Path, string Body)> _heard = [];
        private WebApplication _application = null!;

        public string Address => _application.Urls.Single();

        public static async Task<Collector> StartAsync()
        {
            var collector = new Collector();
            var builder = WebApplication.CreateSlimBuilder();
            builder.Logging.ClearProviders();
            builder.WebHost.UseUrls("http://127.0.0.1:0");
            collector._application = builder.Build();
            collector._application.MapPost("/v1/{signal}", async context =>
            {
                using var body = new MemoryStream();
                await context.Request.Body.CopyToAsync(body);

                // Names are UTF-8 in protocol buffers.
                collector._received.Writer.TryWrite((context.Request.Path, Encoding.UTF8.GetString(body.ToArray())));
            });
            await collector._application.StartAsync();
            return collector;
        }

        /// <summary>Waits until a path was sent something with a name in it.</summary>
        public async Task HearAsync(string path, string name)
        {
            using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(2));
            while (!_heard.Exists(heard => heard.Path == path && heard.Body.Contains(name, StringComparison.Ordinal)))
                _heard.Add(await _received.Reader.ReadAsync(timeout.Token));
        }

        public ValueTask DisposeAsync() => _application.DisposeAsync();
    }
}
