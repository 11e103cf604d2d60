using System.Data.Common;

namespace Polyjuice.Deploy.Tests;

public abstract class LocalOverlayTests(string name, string application) : OverlayTests(name, application)
{
    [ConditionalFact]
    public void Connection_strings_lead_to_the_emulator_and_the_way_is_open()
    {
        var service = Overlay.Find("Service", "azurite")["spec"]!["ports"]!.AsArray()
            .ToDictionary(port => (int)port!["port"]!, port => (string)port!["targetPort"]!);
        var container = Overlay.Find("Deployment", "azurite")["spec"]!["template"]!["spec"]!["containers"]![0]!;
        var listens = container["ports"]!.AsArray()
            .ToDictionary(port => (string)port!["name"]!, port => (int)port!["containerPort"]!);
        var inward = Overlay.Find("NetworkPolicy", "azurite")["spec"]!["ingress"]!.AsArray().Single()!;
        Assert.True(Selects(inward["from"]![0]!["podSelector"]!["matchLabels"]!));

        var secret = Overlay.Content("secrets")!;
        foreach (var (name, endpoint) in new[]
        {
            ("Silo__ClusteringConnectionString", "TableEndpoint"), ("AzureBlobLog__ConnectionString", "BlobEndpoint")
        })
        {
            var uri = new Uri((string)new DbConnectionStringBuilder { ConnectionString = secret[name] }[endpoint]);
            Assert.Equal("azurite", uri.Host);
            var port = listens[service[uri.Port]];
            Assert.Contains(Rules("egress"), rule => Ports(rule).Contains(port));
            Assert.Contains(port, Ports(inward));
        }
    }

    [ConditionalFact]
    public void Silos_follow_what_is_published_in_the_config_map()
    {
        Assert.Equal($"{SiloFiles.DefaultFolder}/{SiloFiles.Policies}", Settings.PolicyFolder);
        Assert.Null(Settings.PolicyContainer);
    }

    [ConditionalFact]
    public void The_image_is_one_that_is_built_here() =>
        Assert.Equal($"{Overlay.Application}-silo:local", (string)Overlay.Container["image"]!);
}

public sealed class LocalBankTests() : LocalOverlayTests("local", "bank");

public sealed class LocalSmallbankTests() : LocalOverlayTests("local-smallbank", "smallbank");

public sealed class LocalTpccTests() : LocalOverlayTests("local-tpcc", "tpcc");
