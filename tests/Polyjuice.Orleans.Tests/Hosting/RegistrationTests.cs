using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Hosting;

/// <summary>What is added to a silo twice, in the wrong order or in a place that can't be used.</summary>
public sealed class RegistrationTests
{
    private readonly LogLines _lines = new("Polyjuice.Orleans");

    [Fact]
    public void Orleans_own_transactions_before_are_refused()
    {
        using var silo = Build(silo => silo.UseTransactions().UsePolyjuice());

        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate(silo));

        Assert.Contains(
            "UseTransactions() was called before UsePolyjuice()", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Orleans_own_transactions_after_are_refused()
    {
        using var silo = Build(silo => silo.UsePolyjuice().UseTransactions());

        var exception = Assert.Throws<OrleansConfigurationException>(() => Validate(silo));

        Assert.Contains(
            "UseTransactions() was called after UsePolyjuice()", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_second_use_adds_its_options_and_is_warned_about()
    {
        using var silo = Build(silo => silo
            .UsePolyjuice(options => (options.Policy, options.Engine.MaxAttempts) = ("occ", 7))
            .UsePolyjuice(options => options.Policy = "locking"));

        Validate(silo);

        var options = silo.Services.GetRequiredService<IOptions<PolyjuiceOptions>>().Value;
        Assert.Equal(("locking", 7), (options.Policy, options.Engine.MaxAttempts));
        var (level, text) = Assert.Single(_lines.All);
        Assert.Equal(LogLevel.Warning, level);
        Assert.Contains("UsePolyjuice() was called 2 times", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_for_traces_that_cannot_be_written_is_named_and_stops_nothing()
    {
        using var folder = new TestFolder();
        await File.WriteAllTextAsync(folder.File("taken"), "");
        var traces = Path.Combine(folder.File("taken"), "traces");
        await using var cluster = await PolyjuiceCluster.StartAsync(1, silo =>
        {
            silo.ConfigureLogging(logging => logging.AddProvider(_lines));
            silo.AddFileTraces(traces);
        });

        await cluster.Client.GetGrain<IAccount>(1).Deposit(1);

        Assert.Equal(1, await cluster.Client.GetGrain<IAccount>(1).GetBalance());
        var (level, text) = Assert.Single(_lines.All, line => line.Text.Contains(traces, StringComparison.Ordinal));
        Assert.Equal(LogLevel.Error, level);
    }

    [Fact]
    public async Task A_folder_for_traces_that_can_be_written_is_left_as_it_was()
    {
        using var folder = new TestFolder();
        var traces = folder.File("traces");
        await using var cluster = await PolyjuiceCluster.StartAsync(1, silo =>
        {
            silo.ConfigureLogging(logging => logging.AddProvider(_lines));
            silo.AddFileTraces(traces);
        });

        Assert.Empty(Directory.GetFileSystemEntries(traces));
        Assert.DoesNotContain(_lines.All, line => line.Text.Contains(traces, StringComparison.Ordinal));
    }

    private static void Validate(IHost silo)
    {
        foreach (var validator in silo.Services.GetServices<IConfigurationValidator>()
            .OfType<PolyjuiceConfigurationValidator>())
            validator.ValidateConfiguration();
    }

    private IHost Build(Action<ISiloBuilder> configure)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders().AddProvider(_lines).SetMinimumLevel(LogLevel.Warning);
        builder.UseOrleans(silo => configure(silo.UseLocalhostClustering()));
        return builder.Build();
    }
}
