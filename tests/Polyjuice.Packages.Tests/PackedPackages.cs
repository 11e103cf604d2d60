using System.Reflection;
using System.Xml.Linq;

namespace Polyjuice.Packages.Tests;

/// <summary>The packages: those that were packed before the tests, or else made here, of what was built.</summary>
public sealed class PackedPackages : IAsyncLifetime
{
    /// <summary>Names the folder of those that were packed before, of a version that is new to this machine.</summary>
    public const string Variable = "POLYJUICE_PACKAGES";

    private readonly TestFolder? _own;
    private readonly Lazy<Task<OutsideApplications>> _outside;

    public PackedPackages()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } folder)
            Folder = folder;
        else
            Folder = (_own = new TestFolder()).Path;
        _outside = new(() => OutsideApplications.BuildAsync(this));
    }

    /// <summary>Where they are.</summary>
    public string Folder { get; }

    /// <summary>The version of all.</summary>
    public string Version { get; private set; } = "";

    /// <summary>What there is.</summary>
    public IReadOnlyList<string> Files => [.. Directory.GetFiles(Folder).Select(file => Path.GetFileName(file)!)];

    internal Package this[string id] => new(Path.Combine(Folder, $"{id}.{Version}.nupkg"));

    /// <summary>Applications that use them; built when first asked for.</summary>
    internal Task<OutsideApplications> OutsideAsync() => _outside.Value;

    /// <summary>
    /// Has what is built in a folder take the packages from their folder, and unpack them there alone. What comes from
    /// elsewhere is taken from this machine's sources, or from where it has unpacked it already.
    /// </summary>
    internal void WriteConfiguration(TestFolder folder)
    {
        var home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
        var unpacked = Environment.GetEnvironmentVariable("NUGET_PACKAGES") ?? Path.Combine(home, ".nuget", "packages");
        new XElement("configuration",
            new XElement("config", Added("globalPackagesFolder", folder.File("packages"))),
            new XElement("fallbackPackageFolders", Added("machine", unpacked)),
            new XElement("packageSources", Added("packed", Folder))).Save(folder.File("nuget.config"));

        static XElement Added(string key, string value) =>
            new("add", new XAttribute("key", key), new XAttribute("value", value));
    }

    public async Task InitializeAsync()
    {
        if (_own is not null)
        {
            // A version that no cache on this machine can have.
            var version = $"-p:TrialSuffix=test.{DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()}";
            var configuration = typeof(PackedPackages).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!;
            await DotnetCommand.RunAsync(
                Repository.PathOf(""),
                "pack", "Polyjuice.sln", "-c", configuration.Configuration, "--no-build", "-o", Folder, version);
        }

        const string Engine = "Polyjuice.Engine.";
        var engines = Directory.GetFiles(Folder, $"{Engine}*.nupkg");
        if (engines.Length != 1)
            throw new InvalidOperationException($"{Folder} has {engines.Length} packages of the engine.");
        Version = Path.GetFileNameWithoutExtension(engines[0])[Engine.Length..];
    }

    public async Task DisposeAsync()
    {
        _own?.Dispose();
        if (_outside is { IsValueCreated: true, Value.IsCompletedSuccessfully: true }) (await _outside.Value).Dispose();
    }
}

/// <summary>Tests that share the packages. One at a time: each builds or runs programs.</summary>
[CollectionDefinition(Name)]
public sealed class PackagesCollection : ICollectionFixture<PackedPackages>
{
    public const string Name = "packages";
}
