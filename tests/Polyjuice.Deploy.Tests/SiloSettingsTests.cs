using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace Polyjuice.Deploy.Tests;

public sealed class SiloSettingsTests
{
    [Fact]
    public void The_defaults_are_valid() => SettingsCheck.Validate(new());

    [Fact]
    public void A_table_needs_a_connection_string_and_the_pods_address()
    {
        var refusal = Refusal(new() { Clustering = SiloClustering.AzureTable });
        Assert.Contains("Silo:ClusteringConnectionString", refusal, StringComparison.Ordinal);
        Assert.Contains("Silo:AdvertisedAddress", refusal, StringComparison.Ordinal);
    }

    [Fact]
    public void Traces_and_published_policies_are_in_the_logs_storage_account()
    {
        Assert.Contains("Silo:TraceContainer", Refusal(new() { TraceContainer = "traces" }), StringComparison.Ordinal);
        Assert.Contains(
            "Silo:PolicyContainer",
            Refusal(new() { PolicyContainer = "policies", Logs = SiloLogs.Files }),
            StringComparison.Ordinal);
        SettingsCheck.Validate(new()
        {
            TraceContainer = "traces", PolicyContainer = "policies", Logs = SiloLogs.AzureBlobs
        });
    }

    [Fact]
    public void There_is_one_place_for_traces_and_one_for_policies()
    {
        Assert.Contains(
            "Silo:TraceFolder and Silo:TraceContainer",
            Refusal(new() { TraceFolder = "/traces", TraceContainer = "traces", Logs = SiloLogs.AzureBlobs }),
            StringComparison.Ordinal);
        Assert.Contains(
            "Silo:PolicyFolder and Silo:PolicyContainer",
            Refusal(new() { PolicyFolder = "/policies", PolicyContainer = "policies", Logs = SiloLogs.AzureBlobs }),
            StringComparison.Ordinal);
        SettingsCheck.Validate(new()
        {
            PolicyFolder = "", PolicyContainer = "policies", TraceFolder = "", TraceContainer = "traces",
            Logs = SiloLogs.AzureBlobs
        });
    }

    [Fact]
    public void A_trainer_needs_places_for_traces_and_policies()
    {
        var missing = Refusal(new(), new() { Enabled = true });
        Assert.Contains("Silo:TraceFolder", missing, StringComparison.Ordinal);
        Assert.Contains("Silo:PolicyFolder", missing, StringComparison.Ordinal);
        SettingsCheck.Validate(new() { TraceFolder = "/traces", PolicyFolder = "/policies" }, new() { Enabled = true });
    }

    [Fact]
    public void What_is_no_address_or_out_of_bounds_is_refused_by_name()
    {
        Assert.Contains("not an IP address", Refusal(new() { AdvertisedAddress = "silo-0" }), StringComparison.Ordinal);
        Assert.Contains("must differ", Refusal(new() { HttpPort = 8_081 }), StringComparison.Ordinal);
        Assert.Contains(
            nameof(SiloSettings.DrainTimeout),
            Refusal(new() { DrainTimeout = TimeSpan.Zero }),
            StringComparison.Ordinal);
        Assert.Contains(nameof(SiloSettings.SiloPort), Refusal(new() { SiloPort = 70_000 }), StringComparison.Ordinal);
    }

    [Fact]
    public void What_nothing_reads_is_named_and_its_value_is_not()
    {
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Silo:ClusterId"] = "known", ["silo:logs"] = "Memory", ["Polyjuice:Engine:MaxAttempts"] = "3",
            ["Policies:PublisherKeys:0"] = "key",
            ["AzureBlobLog:ServiceUri"] = "https://account", ["Other:Section"] = "of somebody else",
            ["Silo:Cluster"] = "secret", ["Polyjuice:Polcy"] = "secret", ["Polyjuice:Engine:MaxAttemps"] = "secret",
            ["Trainer:Enabled"] = "true", ["Trainer:StateFolder"] = "/state", ["Trainer:On"] = "secret",
        }).Build();

        Assert.Equal(
            ["Silo:Cluster", "Polyjuice:Engine:MaxAttemps", "Polyjuice:Polcy", "Trainer:On"],
            UnknownSettings.Of(configuration));
    }

    private static string Refusal(SiloSettings settings, TrainerSettings? trainer = null) =>
        Assert.Throws<OptionsValidationException>(() => SettingsCheck.Validate(settings, trainer)).Message;
}
