using System.Text.RegularExpressions;

namespace Polyjuice.Deploy.Tests;

public abstract partial class AzureOverlayTests(
    string name, string application) : OverlayTests(name, application, DocumentedSecret())
{
    [ConditionalFact]
    public void Secrets_are_not_in_the_repository() => Assert.Empty(Overlay.All("Secret"));

    [ConditionalFact]
    public void Metrics_are_scraped_where_they_are()
    {
        var monitor = Assert.Single(Overlay.All("ServiceMonitor"))["spec"]!;
        var endpoint = Assert.Single(monitor["endpoints"]!.AsArray())!;
        Assert.Equal(SiloEndpoints.Metrics, (string)endpoint["path"]!);
        var services = Overlay.All("Service")
            .Where(
                service => monitor["selector"]!["matchLabels"]!.AsObject()
                    .All(label => (string?)service["metadata"]!["labels"]![label.Key] == (string)label.Value!));
        var port =
            Assert.Single(
                Assert.Single(services)["spec"]!["ports"]!.AsArray(),
                port => (string)port!["name"]! == (string)endpoint["port"]!)!;
        Assert.Equal(Settings.ManagementPort, Overlay.Port((string)port["targetPort"]!));
        Assert.Contains(
            Rules("ingress"),
            rule => Ports(rule).Contains(Settings.ManagementPort)
                && rule["from"]![0]!["namespaceSelector"] is not null);
    }

    [ConditionalFact]
    public void Storage_is_reached_over_TLS() =>
        Assert.Contains(Rules("egress"), rule => Ports(rule).SequenceEqual([443]));

    [ConditionalFact]
    public void Silos_are_spread_over_zones() => Assert.Contains(
        Overlay.Pod["spec"]!["topologySpreadConstraints"]!.AsArray(),
        spread => (string)spread!["topologyKey"]! == "topology.kubernetes.io/zone");

    /// <summary>The secret as the documentation says how to make it.</summary>
    private static Dictionary<string, string> DocumentedSecret() =>
        FromLiteral().Matches(Repository.Read("docs/operate/deploy.md"))
            .ToDictionary(match => match.Groups[1].Value, _ => "UseDevelopmentStorage=true");

    [GeneratedRegex(@"--from-literal=([A-Za-z_]+)=")]
    private static partial Regex FromLiteral();
}

public sealed class AzureBankTests() : AzureOverlayTests("azure", "bank");

public sealed class AzureSmallbankTests() : AzureOverlayTests("azure-smallbank", "smallbank");

public sealed class AzureTpccTests() : AzureOverlayTests("azure-tpcc", "tpcc");
