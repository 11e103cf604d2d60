using Microsoft.Extensions.Configuration;
using SiloHosting;

namespace Polyjuice.Deploy.Tests;

/// <summary>The objects of one overlay, and what the silos in it find.</summary>
public sealed class Overlay
{
    private readonly IReadOnlyList<JsonNode> _objects;

    internal Overlay(string name, string application)
    {
        (Name, Application) = (name, application);
        _objects = Kubectl.Render(name);
        Deployment = Find("Deployment", $"{application}-silo");
        Pod = Deployment["spec"]!["template"]!;
        Container = Assert.Single(Pod["spec"]!["containers"]!.AsArray())!;
    }

    internal string Name { get; }

    /// <summary>What its silos serve.</summary>
    internal string Application { get; }

    internal JsonNode Deployment { get; }

    /// <summary>The silos' pods.</summary>
    internal JsonNode Pod { get; }

    internal JsonNode Container { get; }

    internal IEnumerable<JsonNode> All(string kind) => _objects.Where(o => (string)o["kind"]! == kind);

    internal JsonNode Find(string kind, string name) =>
        Assert.Single(All(kind), o => (string)o["metadata"]!["name"]! == name);

    internal bool Has(string kind, string name) => All(kind).Any(o => (string)o["metadata"]!["name"]! == name);

    /// <summary>The number of a container's port by its name.</summary>
    internal int Port(string name) =>
        (int)Assert.Single(Container["ports"]!.AsArray(), port => (string)port!["name"]! == name)!["containerPort"]!;

    /// <summary>What the program reads at its start in such a pod, by its own code.</summary>
    /// <param name="secrets">The secret's content, where the overlay leaves it to who deploys.</param>
    internal IConfigurationRoot Configuration(IReadOnlyDictionary<string, string>? secrets = null)
    {
        var folder = Directory.CreateTempSubdirectory("silo").FullName;
        try
        {
            WriteFiles(folder, volume => Content(volume) ?? secrets ?? new Dictionary<string, string>());
            var environment = Environment(FieldValue).ToDictionary(
                variable => variable.Key.Replace("__", ":", StringComparison.Ordinal),
                string? (variable) => variable.Value);
            return new ConfigurationBuilder().AddNamesOf(new SiloApplication(Application, _ => { }))
                .AddSiloFiles(folder)
                    .AddInMemoryCollection(environment).Build();
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>The settings that come of it.</summary>
    internal SiloSettings Settings(IReadOnlyDictionary<string, string>? secrets = null) =>
        Configuration(secrets).GetSection(SiloSettings.Section)
            .Get<SiloSettings>(binder => binder.ErrorOnUnknownConfiguration = true)!;

    /// <summary>Writes what is mounted below the silos' own folder.</summary>
    /// <param name="folder">In its place.</param>
    /// <param name="contentOf">The files of a volume.</param>
    internal void WriteFiles(string folder, Func<string, IReadOnlyDictionary<string, string>> contentOf)
    {
        foreach (var mount in Container["volumeMounts"]!.AsArray())
        {
            var path = (string)mount!["mountPath"]!;
            if (!path.StartsWith(SiloFiles.DefaultFolder + "/", StringComparison.Ordinal)) continue;
            var target = Directory.CreateDirectory(folder + path[SiloFiles.DefaultFolder.Length..]).FullName;
            foreach (var (file, content) in contentOf(
                (string)mount["name"]!)) File.WriteAllText(Path.Combine(target, file), content);
        }
    }

    /// <summary>The container's environment.</summary>
    /// <param name="fieldValue">What the downward API says of a field.</param>
    internal IReadOnlyDictionary<string, string> Environment(Func<string, string> fieldValue) =>
        Container["env"]!.AsArray().ToDictionary(
            variable => (string)variable!["name"]!,
            variable => (string?)variable!["value"]
                ?? fieldValue((string)variable["valueFrom"]!["fieldRef"]!["fieldPath"]!));

    /// <summary>The files of a volume, or <see langword="null"/> for a secret that is not among the objects.</summary>
    internal IReadOnlyDictionary<string, string>? Content(string volume)
    {
        var source = Assert.Single(Pod["spec"]!["volumes"]!.AsArray(), v => (string)v!["name"]! == volume)!;
        if ((string?)source["configMap"]?["name"] is { } map)
            return Find("ConfigMap", map)["data"]!.AsObject()
                .ToDictionary(entry => entry.Key, entry => (string)entry.Value!);
        var secret = (string)source["secret"]!["secretName"]!;
        return !Has("Secret", secret) ? null : Find("Secret", secret)["data"]!.AsObject().ToDictionary(
            entry => entry.Key,
            entry => System.Text.Encoding.UTF8.GetString(Convert.FromBase64String((string)entry.Value!)));
    }

    private static string FieldValue(string path) => path switch
    {
        "status.podIP" => "10.1.2.3",
        "metadata.name" => "silo-5d9c-x7k2p",
        _ => throw new InvalidOperationException($"The downward API's {path} is new here: say what it looks like."),
    };
}
