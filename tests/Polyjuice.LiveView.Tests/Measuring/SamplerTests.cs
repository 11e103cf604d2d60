using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Polyjuice.LiveView.Hosting;
using Polyjuice.LiveView.Measuring;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Tests.Measuring;

public sealed class SamplerTests
{
    [Fact]
    public async Task An_instrument_that_throws_costs_a_second_and_neither_the_host_nor_the_next_one()
    {
        var policies = new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get("occ"));
        using var meter = new Meter(new MeterOptions("Polyjuice") { Scope = policies });
        var asked = 0;
        meter.CreateObservableGauge(
            "polyjuice.admission.waiting", () => ++asked == 1 ? throw new InvalidOperationException("Not now.") : 7);
        var builder = Host.CreateEmptyApplicationBuilder(new());
        builder.Services.AddSingleton<IHostLifetime, NoSignals>();
        builder.Services.AddSingleton(policies).AddPolyjuiceLiveView();
        using var host = builder.Build();
        await host.StartAsync();
        var history = host.Services.GetRequiredService<SampleHistory>();
        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        await history.WaitAsync(0, timeout.Token);
        Assert.Equal((1L, 7L), (history.After(0)[0].Number, history.After(0)[0].Waiting));
        Assert.True(asked >= 2);
        await host.StopAsync(CancellationToken.None);
    }
}
