using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Configuration;
using Orleans.Configuration;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;

namespace Polyjuice.Deploy.Tests;

/// <summary>
/// What holds of every overlay: its objects fit each other, and what the silo listens to, reads and needs.
/// </summary>
/// <param name="name">Below <c>deploy/overlays</c>.</param>
/// <param name="application">What its silos serve: also its namespace's name.</param>
/// <param name="secrets">What is in the storage secret, where that is not among the objects.</param>
[RequiresKubectl]
public abstract class OverlayTests(string name, string application, IReadOnlyDictionary<string, string>? secrets = null)
{
    private readonly Lazy<Overlay> _overlay = new(() => new Overlay(name, application));

    private protected Overlay Overlay => _overlay.Value;

    private protected SiloSettings Settings => Overlay.Settings(secrets);

    private JsonNode Spec => Overlay.Pod["spec"]!;

    private JsonNode Labels => Overlay.Pod["metadata"]!["labels"]!;

    [ConditionalFact]
    public void Every_option_that_silos_find_is_one_that_they_have_and_valid()
    {
        var configuration = Overlay.Configuration(secrets);
        SettingsCheck.Validate(Settings, Bind<TrainerSettings>(configuration, TrainerSettings.Section));
        string[] sections =
        [
            SiloSettings.Section, TrainerSettings.Section, SiloSettings.PoliciesSection, SiloSettings.PolyjuiceSection,
            SiloSettings.AzureBlobLogSection, SiloSettings.FileLogSection, "Logging"
        ];
        Assert.All(configuration.GetChildren(), section => Assert.Contains(section.Key, sections));
        Assert.Empty(UnknownSettings.Of(configuration));
        Valid(Bind<PolyjuiceOptions>(configuration, SiloSettings.PolyjuiceSection));
        Valid(Bind<PolyjuiceOptions>(configuration, SiloSettings.PolyjuiceSection).Engine);
        Valid(Bind<PublishedPoliciesOptions>(configuration, SiloSettings.PoliciesSection));
        var logs = Bind<AzureBlobLogOptions>(configuration, SiloSettings.AzureBlobLogSection);
        Valid(logs);
        Assert.Equal(SiloLogs.AzureBlobs, Settings.Logs);
        Assert.Equal(
            (application, application, application), (Settings.ClusterId, Settings.ServiceId, logs.ContainerName));
        Assert.False(string.IsNullOrEmpty(logs.ConnectionString));
    }

    [ConditionalFact]
    public void Silos_share_their_logs_and_there_is_a_partition_for_each()
    {
        var logs = Bind<AzureBlobLogOptions>(Overlay.Configuration(secrets), SiloSettings.AzureBlobLogSection);
        var replicas = (int)Overlay.Deployment["spec"]!["replicas"]!;
        Assert.True(replicas >= 2);
        Assert.False(logs.Lock, "One silo would lock the others out.");
        Assert.True(logs.NewPartitions >= replicas + Surge);
    }

    [ConditionalFact]
    public void The_container_names_the_ports_that_the_silo_listens_to_and_no_others()
    {
        Assert.Equal(Settings.HttpPort, Overlay.Port("http"));
        Assert.Equal(Settings.ManagementPort, Overlay.Port("management"));
        Assert.Equal(Settings.SiloPort, Overlay.Port("silo"));
        Assert.Equal(Settings.GatewayPort, Overlay.Port("gateway"));
        Assert.Equal(4, Overlay.Container["ports"]!.AsArray().Count);
    }

    [ConditionalFact]
    public void Silos_are_reached_by_their_pods_addresses()
    {
        var address =
            Assert.Single(
                Overlay.Container["env"]!.AsArray(),
                variable => (string)variable!["name"]! == "Silo__AdvertisedAddress")!;
        Assert.Equal("status.podIP", (string)address["valueFrom"]!["fieldRef"]!["fieldPath"]!);
        Assert.Equal("10.1.2.3", Settings.AdvertisedAddress);
        Assert.Equal(SiloClustering.AzureTable, Settings.Clustering);
    }

    [ConditionalFact]
    public void Probes_ask_the_endpoints_that_the_silo_has()
    {
        Assert.Equal(SiloEndpoints.Started, Path("startupProbe"));
        Assert.Equal(SiloEndpoints.Ready, Path("readinessProbe"));
        Assert.Equal(SiloEndpoints.Live, Path("livenessProbe"));

        string Path(string probe)
        {
            var get = Overlay.Container[probe]!["httpGet"]!;
            Assert.Equal("management", (string)get["port"]!);
            return (string)get["path"]!;
        }
    }

    [ConditionalFact]
    public void The_start_may_take_as_long_as_the_silo_waits_for_its_partitions()
    {
        var probe = Overlay.Container["startupProbe"]!;
        var patience = TimeSpan.FromSeconds((int)probe["failureThreshold"]! * (int)probe["periodSeconds"]!);
        Assert.True(
            patience >= 2 * Bind<PolyjuiceOptions>(
                Overlay.Configuration(secrets), SiloSettings.PolyjuiceSection).TakeOverTimeout);
    }

    [ConditionalFact]
    public void A_silo_has_the_time_to_drain_before_it_is_killed()
    {
        var pause = TimeSpan.FromSeconds((int)Overlay.Container["lifecycle"]!["preStop"]!["sleep"]!["seconds"]!);
        var grace = TimeSpan.FromSeconds((int)Spec["terminationGracePeriodSeconds"]!);
        Assert.True(
            grace >= pause + Settings.DrainTimeout + TimeSpan.FromSeconds(10),
            $"{grace} for a pause of {pause} and a drain of {Settings.DrainTimeout}");
    }

    [ConditionalFact]
    public void A_new_silo_is_ready_before_an_old_one_goes()
    {
        var update = Overlay.Deployment["spec"]!["strategy"]!["rollingUpdate"]!;
        Assert.Equal("RollingUpdate", (string)Overlay.Deployment["spec"]!["strategy"]!["type"]!);
        Assert.Equal(0, (int)update["maxUnavailable"]!);
        Assert.True(Surge >= 1);
    }

    [ConditionalFact]
    public void Disruptions_leave_silos_to_go_on_with_and_are_possible_at_all()
    {
        var budget = Overlay.Find("PodDisruptionBudget", $"{application}-silo")["spec"]!;
        AssertSelects(budget["selector"]!["matchLabels"]!);
        Assert.InRange((int)budget["maxUnavailable"]!, 1, (int)Overlay.Deployment["spec"]!["replicas"]! - 1);
    }

    [ConditionalFact]
    public void Mounts_are_where_the_silo_looks_and_their_volumes_have_what_it_reads()
    {
        var mounts = Overlay.Container["volumeMounts"]!.AsArray()
            .ToDictionary(mount => (string)mount!["mountPath"]!, mount => mount!);
        var options = $"{SiloFiles.DefaultFolder}/{SiloFiles.Options}";
        Assert.Contains(options[(options.LastIndexOf('/') + 1)..], Files(options[..options.LastIndexOf('/')]).Keys);
        Assert.Equal(
            [
                $"{SiloSettings.AzureBlobLogSection}__ConnectionString",
                $"{SiloSettings.Section}__{nameof(SiloSettings.ClusteringConnectionString)}"
            ],
            Files($"{SiloFiles.DefaultFolder}/{SiloFiles.Secrets}").Keys.Order(StringComparer.Ordinal));

        // The silo can start under it.
        Assert.NotNull(
            PolicySource.LoadDocument(
                Bind<PolyjuiceOptions>(Overlay.Configuration(secrets), SiloSettings.PolyjuiceSection).Policy));
        Assert.DoesNotContain(mounts.Values, mount => mount["subPath"] is not null);

        IReadOnlyDictionary<string, string> Files(string path)
        {
            Assert.True((bool?)mounts[path]["readOnly"], path);
            return Overlay.Content((string)mounts[path]["name"]!) ?? secrets!;
        }
    }

    [ConditionalFact]
    public async Task Every_policy_that_was_published_here_is_mounted_as_it_was_published_and_can_be_used()
    {
        var mount =
            Overlay.Container["volumeMounts"]!.AsArray()
                .Single(mount => (string)mount!["mountPath"]! == $"{SiloFiles.DefaultFolder}/{SiloFiles.Policies}")!;
        var entries = Overlay.Content((string)mount["name"]!)!;
        Assert.Equal(
            Directory.GetFiles(
                System.IO.Path.Combine(Repository.Root, "deploy", "applications", application, "policies"))
                .Select(System.IO.Path.GetFileName).Order(StringComparer.Ordinal),
            entries.Keys.Order(StringComparer.Ordinal));
        var folder = Directory.CreateTempSubdirectory("silo").FullName;
        try
        {
            foreach (var (name, content) in entries) await File.WriteAllTextAsync(
                System.IO.Path.Combine(folder, name), content);
            var repository = new PolicyRepository(new FilePolicyEntries(folder), TimeProvider.System);
            var history = await repository.ReadAsync();
            Assert.Equal(entries.Count, history.Last);
            Assert.All(
                history.Entries, entry => Assert.Equal((PolicyEntryState.Valid, ""), (entry.State, entry.Problem)));
            var release = await repository.GetAsync(history.InForce, history);
            Assert.Equal(release.Name, new DocumentPolicy(PolicyReader.Parse(release.Policy, release.Name)).Name);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [ConditionalFact]
    public void Nothing_is_written_but_in_tmp()
    {
        Assert.True((bool)Overlay.Container["securityContext"]!["readOnlyRootFilesystem"]!);
        var tmp =
            Assert.Single(
                Overlay.Container["volumeMounts"]!.AsArray(), mount => (string)mount!["mountPath"]! == "/tmp")!;
        var volume =
            Assert.Single(Spec["volumes"]!.AsArray(), volume => (string)volume!["name"]! == (string)tmp["name"]!)!;
        Assert.NotNull(volume["emptyDir"]!["sizeLimit"]);
    }

    [ConditionalFact]
    public void Silos_run_as_the_images_user_and_need_no_privilege()
    {
        var (security, image) = (Spec["securityContext"]!, Dockerfile.Silos[application]);
        Assert.Equal(image.User, (int)security["runAsUser"]!);
        Assert.NotEqual(0, image.User);
        Assert.Equal(
            image.Ports.Order(),
            Overlay.Container["ports"]!.AsArray().Select(port => (int)port!["containerPort"]!).Order());
    }

    [ConditionalFact]
    public void Every_pod_satisfies_the_namespaces_restricted_policy_and_has_bounds()
    {
        Assert.Equal(
            "restricted",
            (string)Overlay.Find(
                "Namespace", application)["metadata"]!["labels"]!["pod-security.kubernetes.io/enforce"]!);
        foreach (var pod in Overlay.All("Deployment").Select(deployment => deployment["spec"]!["template"]!["spec"]!))
        {
            Assert.True((bool)pod["securityContext"]!["runAsNonRoot"]!);
            Assert.Equal("RuntimeDefault", (string)pod["securityContext"]!["seccompProfile"]!["type"]!);
            Assert.False((bool)pod["automountServiceAccountToken"]!);
            foreach (var container in pod["containers"]!.AsArray())
            {
                Assert.False((bool)container!["securityContext"]!["allowPrivilegeEscalation"]!);
                Assert.Equal(
                    "ALL", (string)Assert.Single(container["securityContext"]!["capabilities"]!["drop"]!.AsArray())!);
                Assert.NotNull(container["resources"]!["requests"]!["cpu"]);
                Assert.NotNull(container["resources"]!["requests"]!["memory"]);
                Assert.NotNull(container["resources"]!["limits"]!["memory"]);
            }
        }
    }

    [ConditionalFact]
    public void Selectors_find_the_silos_and_all_is_in_one_namespace()
    {
        AssertSelects(Overlay.Deployment["spec"]!["selector"]!["matchLabels"]!);
        foreach (var service in (JsonNode[])[
            Overlay.Find("Service", $"{application}-silo"), Overlay.Find("Service", $"{application}-silo-management")
        ])
        {
            AssertSelects(service["spec"]!["selector"]!);
            foreach (var port in service["spec"]!["ports"]!.AsArray()) Overlay.Port((string)port!["targetPort"]!);
        }

        foreach (var spread in Spec["topologySpreadConstraints"]!.AsArray())
            AssertSelects(spread!["labelSelector"]!["matchLabels"]!);
        Assert.True(Overlay.Has("ServiceAccount", (string)Spec["serviceAccountName"]!));
        string[] kinds =
        [
            "Deployment", "Service", "ConfigMap", "Secret", "NetworkPolicy", "PodDisruptionBudget", "ServiceAccount",
            "ServiceMonitor", "PrometheusRule",
        ];
        foreach (var kind in kinds)
            Assert.All(Overlay.All(kind), o => Assert.Equal(application, (string)o["metadata"]!["namespace"]!));
    }

    [ConditionalFact]
    public void Silos_reach_each_other_and_nobody_else_reaches_their_port()
    {
        foreach (var direction in new[] { "ingress", "egress" })
        {
            var rules = Rules(direction).Where(rule => Ports(rule).Contains(Settings.SiloPort)).ToList();
            var peer = Assert.Single(Assert.Single(rules)[direction == "ingress" ? "from" : "to"]!.AsArray())!;
            AssertSelects(peer["podSelector"]!["matchLabels"]!);
            Assert.Contains(Settings.GatewayPort, Ports(rules[0]));
        }

        // Those who are let in otherwise are named by labels of their own.
        foreach (var (port, label) in new[]
        {
            (Settings.HttpPort, "silo/front"), (Settings.GatewayPort, "silo/orleans-client")
        })
        {
            Assert.Single(
                Rules("ingress").Where(rule => Ports(rule).Contains(port)).SelectMany(rule => rule["from"]!.AsArray())
                    .Select(peer => peer!["podSelector"]!),
                peer =>
                    peer["matchLabels"] is null
                        && (string)Assert.Single(peer["matchExpressions"]!.AsArray())!["key"]! == label);
        }

        Assert.Contains(Rules("egress"), rule => Ports(rule).Contains(53));
    }

    private protected IEnumerable<JsonNode> Rules(string direction) => Overlay.All("NetworkPolicy")
        .Where(policy => Selects(policy["spec"]!["podSelector"]!["matchLabels"]!))
        .SelectMany(policy => policy["spec"]![direction]?.AsArray() ?? [])
        .Select(rule => rule!);

    private protected static IEnumerable<int> Ports(JsonNode rule) =>
        rule["ports"]!.AsArray().Select(port => (int)port!["port"]!);

    private protected bool Selects(JsonNode selector) =>
        selector.AsObject().All(label => (string?)Labels[label.Key] == (string)label.Value!);

    private static T Bind<T>(IConfiguration configuration, string section)
        where T : new() =>
        configuration.GetSection(section).Get<T>(binder => binder.ErrorOnUnknownConfiguration = true) ?? new();

    private int Surge => (int)Overlay.Deployment["spec"]!["strategy"]!["rollingUpdate"]!["maxSurge"]!;

    private static void Valid(object options) =>
        Validator.ValidateObject(options, new ValidationContext(options), validateAllProperties: true);

    private void AssertSelects(JsonNode selector)
    {
        Assert.NotEmpty(selector.AsObject());
        Assert.True(Selects(selector), selector.ToJsonString());
    }
}
