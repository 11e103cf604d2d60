using System.Xml.Linq;

namespace Polyjuice.Packages.Tests;

/// <summary>
/// A bank outside of the repository, built three times: on Orleans' own transactions; with one line and one package
/// reference changed; and with its money in a database. With the second come a client of its cluster, and tests of its
/// grains.
/// </summary>
internal sealed class OutsideApplications : IDisposable
{
    private const string Original = "before";
    private const string Changed = "after";
    private const string Kept = "kept";

    /// <summary>Stands in project files for the version of the packages.</summary>
    private const string VersionMark = "POLYJUICE_VERSION";

    private readonly TestFolder _folder = new();
    private readonly PackedPackages _packages;

    private OutsideApplications(PackedPackages packages) => _packages = packages;

    /// <summary>Where all of it is.</summary>
    public string Folder => _folder.Path;

    /// <summary>The bank's program as it was.</summary>
    public string OriginalBank => Output(Original, "Bank");

    /// <summary>The bank's program afterwards.</summary>
    public string Bank => Output(Changed, "Bank");

    /// <summary>The bank's program whose money is where its configuration says: PostgreSQL or Redis.</summary>
    public string KeptBank => Output(Kept, "Bank");

    /// <summary>A client of the bank's cluster.</summary>
    public string Teller => Output(Changed, "Teller");

    /// <summary>Tests of the bank's grains.</summary>
    public string Tests => Output(Changed, "Bank.Tests");

    /// <summary>Where a project is that compiles with warnings, and is built by whoever wants to see them.</summary>
    public string Shop => _folder.File(Changed, "Shop");

    /// <summary>Free ones for a bank: of two silos, and of their gateways.</summary>
    public static string[] Ports() => [.. LoopbackPorts.Free(4).Select(port => $"{port}")];

    /// <summary>Makes and builds them. A warning fails the build.</summary>
    public static async Task<OutsideApplications> BuildAsync(PackedPackages packages)
    {
        var applications = new OutsideApplications(packages);
        try
        {
            applications.WriteConfiguration();
            applications.Copy(Original, "Bank", "Bank.Contracts");
            applications.Copy(Changed, "Bank", "Bank.Contracts", "Bank.Tests", "Shop", "Teller");

            applications.Copy(Kept, "Bank", "Bank.Contracts");
            foreach (var folder in new[] { Changed, Kept }) applications.TakePolyjuice(folder);
            applications.KeepMoney();

            await DotnetCommand.RunAsync(applications.Folder, "build", "Outside.proj", "-m:2", "-warnaserror");
            return applications;
        }
        catch
        {
            applications.Dispose();
            throw;
        }
    }

    public void Dispose() => _folder.Dispose();

    private void WriteConfiguration()
    {
        _packages.WriteConfiguration(_folder);

        // All at once, so that processors have something to do. A solution has each name once, and here three are Bank.
        string[] applications =
        [
            $"{Original}/Bank/Bank", $"{Changed}/Bank.Tests/Bank.Tests", $"{Changed}/Teller/Teller",
            $"{Kept}/Bank/Bank",
        ];
        new XElement("Project",
            new XAttribute("DefaultTargets", "Build"),
            new XElement("ItemGroup", applications.Select(application =>
                new XElement("Application", new XAttribute("Include", $"{application}.csproj")))),
            Target("Restore"),
            Target("Build")).Save(_folder.File("Outside.proj"));

        static XElement Target(string name) =>
            new("Target", new XAttribute("Name", name), new XElement("MSBuild",
                new XAttribute("Projects", "@(Application)"),
                new XAttribute("Targets", name),
                new XAttribute("BuildInParallel", "true")));
    }

    // This is all that an application changes.
    private void TakePolyjuice(string folder)
    {
        Replace(folder, "Bank/Program.cs", ".UseTransactions()", ".UsePolyjuice()");
        Replace(
            folder, "Bank.Contracts/Bank.Contracts.csproj",
            "\"Microsoft.Orleans.Transactions\" Version=\"10.4.2\"",
            $"\"Polyjuice.Orleans\" Version=\"{_packages.Version}\"");
    }

    // And this, when states are to outlive the silos. Which of both it is, and where, is in the configuration.
    private void KeepMoney()
    {
        const string Server = "<PackageReference Include=\"Microsoft.Orleans.Server\" Version=\"10.4.2\" />";
        string[] packages = ["Polyjuice.Storage.PostgreSql", "Polyjuice.Storage.Redis"];
        Replace(Kept, "Bank/Program.cs", ".AddMemoryGrainStorageAsDefault()", "");
        Replace(Kept, "Bank/Bank.csproj", Server, Server + string.Concat(packages.Select(package =>
            $"<PackageReference Include=\"{package}\" Version=\"{_packages.Version}\" />")));
    }

    private void Copy(string to, params string[] projects)
    {
        foreach (var project in projects)
        {
            Directory.CreateDirectory(_folder.File(to, project));
            foreach (var file in Directory.GetFiles(Path.Combine(AppContext.BaseDirectory, "Outside", project)))
            {
                var text = File.ReadAllText(file).Replace(VersionMark, _packages.Version, StringComparison.Ordinal);
                File.WriteAllText(_folder.File(to, project, Path.GetFileName(file)), text);
            }
        }
    }

    private void Replace(string folder, string file, string what, string with)
    {
        var path = _folder.File(folder, file);
        var parts = File.ReadAllText(path).Split(what);
        Assert.Equal(2, parts.Length);
        File.WriteAllText(path, string.Join(with, parts));
    }

    private string Output(string folder, string project) =>
        _folder.File(folder, project, "bin", "Debug", "net10.0", $"{project}.dll");
}
