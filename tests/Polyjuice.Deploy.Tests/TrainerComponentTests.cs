using System.Text.RegularExpressions;

namespace Polyjuice.Deploy.Tests;

/// <summary>The trainer beside the silos, in the overlay for Azure.</summary>
[RequiresKubectl]
public sealed partial class TrainerComponentTests
{
    private readonly Lazy<Overlay> _overlay = new(() => new Overlay("azure", "bank"));

    private Overlay Overlay => _overlay.Value;

    private JsonNode Deployment => Overlay.Find("Deployment", "bank-trainer");

    private JsonNode Pod => Deployment["spec"]!["template"]!["spec"]!;

    private JsonNode Container => Assert.Single(Pod["containers"]!.AsArray())!;

    private IReadOnlyList<string> Arguments => [.. Container["args"]!.AsArray().Select(argument => (string)argument!)];

    [ConditionalFact]
    public void Every_option_is_one_that_the_command_has_and_those_that_it_needs_are_there()
    {
        Assert.Equal(["trainer", "run"], Arguments.Take(2));
        var known = Option()
            .Matches(
                Repository.Read("src/Polyjuice.Cli/Training/Trainer/TrainerRunOptions.cs")
                    + Repository.Read("src/Polyjuice.Cli/Commands/TrainerRunCommand.cs")
                    + Repository.Read("src/Polyjuice.Cli/Policies/PolicyLocation.cs"))
                .Select(match => match.Groups[1].Value).ToHashSet();
        var given = Arguments.Skip(2).Select(argument => argument.Split('=')[0]).ToList();
        Assert.All(given, option => Assert.Contains(option, known));
        foreach (var needed in (string[])["--traces", "--store", "--state", "--network-ms", "--append-ms"])
            Assert.Contains(needed, given);
    }

    [ConditionalFact]
    public void It_reads_and_publishes_where_silos_write_and_follow()
    {
        var settings = Overlay.Settings(new Dictionary<string, string>
        {
            ["Silo__ClusteringConnectionString"] = "a", ["AzureBlobLog__ConnectionString"] = "b"
        });
        Assert.Contains($"--traces=$(BANK_BLOBS)/{settings.TraceContainer}", Arguments);
        Assert.Contains($"--store=$(BANK_BLOBS)/{settings.PolicyContainer}", Arguments);
        Assert.Equal("", settings.PolicyFolder);
        var map = (string)Variable("BANK_BLOBS")["configMapKeyRef"]!["name"]!;
        Assert.StartsWith(
            "https://",
            (string)Overlay.Find(
                "ConfigMap", map)["data"]![(string)Variable("BANK_BLOBS")["configMapKeyRef"]!["key"]!]!,
            StringComparison.Ordinal);
        Assert.Equal(
            ("silo-storage", "AzureBlobLog__ConnectionString"),
            ((string)Variable("AZURE_STORAGE_CONNECTION_STRING")["secretKeyRef"]!["name"]!,
                (string)Variable("AZURE_STORAGE_CONNECTION_STRING")["secretKeyRef"]!["key"]!));
    }

    [ConditionalFact]
    public void Silos_begin_a_file_with_each_of_its_windows()
    {
        var period = (string)Overlay.Container["env"]!.AsArray()
            .Single(variable => (string)variable!["name"]! == "Polyjuice__Trace__FilePeriodMicroseconds")!["value"]!;
        Assert.Equal("3600000000", period);
        Assert.Contains("--window=1h", Arguments);
    }

    [ConditionalFact]
    public void Nothing_is_written_but_its_state_and_tmp_and_its_key_is_mounted()
    {
        Assert.True((bool)Container["securityContext"]!["readOnlyRootFilesystem"]!);
        Assert.Equal(Dockerfile.Trainer.User, (int)Pod["securityContext"]!["runAsUser"]!);
        var mounts = Container["volumeMounts"]!.AsArray()
            .ToDictionary(mount => (string)mount!["name"]!, mount => mount!);
        Assert.Equal(
            ["/tmp", "/var/lib/trainer"],
            mounts.Values.Where(mount => mount["readOnly"] is null).Select(mount => (string)mount["mountPath"]!)
                .Order());
        Assert.StartsWith((string)mounts["state"]["mountPath"]! + "/", Value("--state"), StringComparison.Ordinal);
        Assert.StartsWith((string)mounts["key"]["mountPath"]! + "/", Value("--key"), StringComparison.Ordinal);
        var claim = (string)Pod["volumes"]!.AsArray()
            .Single(volume => (string)volume!["name"]! == "state")!["persistentVolumeClaim"]!["claimName"]!;
        Assert.True(Overlay.Has("PersistentVolumeClaim", claim));
        Assert.Equal("Recreate", (string)Deployment["spec"]!["strategy"]!["type"]!);
        Assert.Equal(1, (int)Deployment["spec"]!["replicas"]!);
    }

    [ConditionalFact]
    public void Its_probes_ask_where_it_answers_and_it_has_the_time_to_end_a_search()
    {
        var source = Repository.Read("src/Polyjuice.Cli/Training/Trainer/TrainerHealth.cs");
        foreach (var probe in (string[])["startupProbe", "livenessProbe"])
        {
            Assert.Contains($"\"{(string)Container[probe]!["httpGet"]!["path"]!}\"", source, StringComparison.Ordinal);
            Assert.Equal("management", (string)Container[probe]!["httpGet"]!["port"]!);
        }

        var port = Assert.Single(Container["ports"]!.AsArray())!;
        Assert.Equal(Value("--health-port"), (string)port["containerPort"]!.ToString());
        Assert.Equal(Dockerfile.Trainer.Ports, [(int)port["containerPort"]!]);
        Assert.True((int)Pod["terminationGracePeriodSeconds"]! > 60);
    }

    [ConditionalFact]
    public void It_reaches_storage_and_nobody_reaches_it()
    {
        var label = (string)Deployment["spec"]!["template"]!["metadata"]!["labels"]!["app.kubernetes.io/name"]!;
        var policies = Overlay.All("NetworkPolicy")
            .Where(
                policy => (string?)policy["spec"]!["podSelector"]!["matchLabels"]!["app.kubernetes.io/name"] == label)
            .ToList();
        Assert.DoesNotContain(policies, policy => policy["spec"]!["ingress"] is not null);
        Assert.Contains(
            policies, policy => policy["spec"]!["policyTypes"]!.AsArray().Any(type => (string)type! == "Ingress"));
        Assert.Contains(
            policies.SelectMany(policy => policy["spec"]!["egress"]?.AsArray() ?? []),
            rule => rule!["ports"]!.AsArray().Any(port => (int)port!["port"]! == 443));
        Assert.Equal(label, (string)Deployment["spec"]!["selector"]!["matchLabels"]!["app.kubernetes.io/name"]!);
        Assert.True(Overlay.Has("ServiceAccount", (string)Pod["serviceAccountName"]!));
    }

    private JsonNode Variable(string name) =>
        Container["env"]!.AsArray().Single(variable => (string)variable!["name"]! == name)!["valueFrom"]!;

    private string Value(string option) =>
        Arguments.Single(
            argument => argument.StartsWith(option + "=", StringComparison.Ordinal))[(option.Length + 1)..];

    [GeneratedRegex("\"(--[a-z0-9-]+)\"")]
    private static partial Regex Option();
}
