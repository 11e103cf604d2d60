using System.Buffers.Binary;
using System.Text;

namespace Polyjuice.Packages.Tests;

[Collection(PackagesCollection.Name)]
public class PackageContentTests(PackedPackages packages)
{
    private const string Tool = "polyjuice";

    private const string Templates = "Polyjuice.Templates";
    private const string Analyzers = "analyzers/dotnet/cs/";

    private static readonly string[] s_built = [.. Library.All.Select(library => library.Id), Tool];

    public static TheoryData<string> Libraries => [.. Library.All.Select(library => library.Id)];

    /// <summary>Those with assemblies of their own.</summary>
    public static TheoryData<string> Built => [.. s_built];

    public static TheoryData<string> All => [.. s_built, Templates];

    [Fact]
    public void There_are_these_packages_and_their_symbols_and_no_others()
    {
        var names = s_built.Select(id => $"{id}.{packages.Version}").ToArray();
        string[] expected =
        [
            .. names.Select(name => $"{name}.nupkg"), .. names.Select(name => $"{name}.snupkg"),
            $"{Templates}.{packages.Version}.nupkg",
        ];
        Assert.Equal(expected.Order(), packages.Files.Order());
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Each_says_what_it_is_and_whose(string id)
    {
        using var package = packages[id];
        Assert.Equal(id, package.Get("id"));
        Assert.Equal(packages.Version, package.Get("version"));
        Assert.Equal("MIT", package.Get("license"));
        Assert.All(["description", "authors", "copyright", "releaseNotes"], name => Assert.NotEmpty(package.Get(name)));
        Assert.Contains("orleans", package.Get("tags").Split(' '));
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Each_has_a_readme_the_licence_and_an_icon(string id)
    {
        using var package = packages[id];
        Assert.Equal("README.md", package.Get("readme"));
        Assert.StartsWith("# ", Text(package, "README.md"), StringComparison.Ordinal);
        Assert.StartsWith("MIT License", Text(package, "LICENSE"), StringComparison.Ordinal);
        Assert.Equal("icon.png", package.Get("icon"));
        var icon = package.Read("icon.png");
        Assert.Equal("PNG"u8, icon.AsSpan(1, 3));
        Assert.Equal(128, BinaryPrimitives.ReadInt32BigEndian(icon.AsSpan(16)));
        Assert.Equal(128, BinaryPrimitives.ReadInt32BigEndian(icon.AsSpan(20)));
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void A_library_has_one_assembly_with_documentation_its_analyzers_and_nothing_else(string id)
    {
        using var package = packages[id];
        var assembly = $"lib/net10.0/{Library.Of(id).Assembly}";
        string[] expected =
        [
            "LICENSE", "README.md", "icon.png", $"{assembly}.dll", $"{assembly}.xml",
            .. Library.Of(id).Analyzers.Select(analyzer => $"{Analyzers}{analyzer}.dll"),
        ];
        Assert.Equal(expected.Order(StringComparer.Ordinal), package.Files);
        Assert.Contains("<summary>", Text(package, $"{assembly}.xml"), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void A_library_depends_on_what_it_should_and_on_the_same_version_of_its_own_kind(string id)
    {
        using var package = packages[id];
        Assert.Equal(Library.Of(id).Dependencies.Order(), package.Dependencies.Keys.Order());
        Assert.Equal(Library.Of(id).Frameworks, package.Frameworks);

        // They know each other's internals.
        Assert.All(
            package.Dependencies.Where(dependency => dependency.Key.StartsWith("Polyjuice", StringComparison.Ordinal)),
            dependency => Assert.Equal($"[{packages.Version}]", dependency.Value));
    }

    [Fact]
    public void The_tool_has_all_that_it_needs_and_nothing_that_only_tests_need()
    {
        using var package = packages[Tool];
        Assert.Empty(package.Dependencies);
        var names = package.Files.Where(IsAssembly).Select(file => Path.GetFileName(file)).ToArray();

        // The trainer in silos is not a command.
        var libraries = Library.All.Where(library => library.Id != "Polyjuice.Training.Orleans");
        string[] own = ["Polyjuice.Cli.dll", .. libraries.Select(library => $"{library.Assembly}.dll")];
        Assert.Equal(own.Order(), names.Where(IsOwn).Order());
        foreach (var part in (string[])["xunit", "coverlet", "TestPlatform", "Tests"])
            Assert.DoesNotContain(names, name => name.Contains(part, StringComparison.OrdinalIgnoreCase));

        var others = package.Files.Where(file => file.EndsWith(".xml", StringComparison.Ordinal)).ToArray();
        Assert.Equal(["tools/net10.0/any/DotnetToolSettings.xml"], others);
        Assert.Contains("Name=\"polyjuice\"", Text(package, others[0]), StringComparison.Ordinal);
    }

    [Fact]
    public void Templates_have_all_files_and_the_version_of_the_packages_that_they_take()
    {
        const string Bank = "content/polyjuice-bank/";
        using var package = packages[Templates];
        Assert.Empty(package.Dependencies);
        Assert.Equal("Template", package.Type);
        Assert.DoesNotContain(package.Files, file => file.StartsWith("lib/", StringComparison.Ordinal));
        Assert.DoesNotContain(package.Files, file => file.Contains("/obj/") || file.Contains("/bin/"));
        string[] some = [".template.config/template.json", ".gitignore", "PolyjuiceBank.slnx", "README.md"];
        Assert.All(some, file => Assert.Contains(Bank + file, package.Files));
        var versions = Text(package, $"{Bank}Directory.Packages.props");
        Assert.Contains($"<PolyjuiceVersion>{packages.Version}<", versions, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Built))]
    public void Builds_are_reproducible_and_the_symbols_are_those_of_the_assemblies(string id)
    {
        using var package = packages[id];
        using var symbols = new Package(Path.Combine(packages.Folder, $"{id}.{packages.Version}.snupkg"));
        Assert.All(package.Files.Where(IsAssembly).Where(IsOwn), assembly =>
        {
            var build = package.ReadAssembly(assembly);
            Assert.True(build.IsReproducible, assembly);

            // Analyzers have theirs in themselves: servers of symbols take those of libraries alone.
            var isAnalyzer = assembly.StartsWith(Analyzers, StringComparison.Ordinal);
            Assert.Equal(isAnalyzer, build.HasSymbolsInside);
            if (isAnalyzer)
            {
                Assert.Equal(Path.ChangeExtension(Path.GetFileName(assembly), ".pdb"), build.SymbolsPath);
                return;
            }

            Assert.Equal(build.Symbols, symbols.ReadSymbols(Path.ChangeExtension(assembly, ".pdb")));

            // Continuous integration builds what is published: there the path on its machine must not be part of it.
            if (Environment.GetEnvironmentVariable("CI") == "true")
                Assert.StartsWith("/_/", build.SymbolsPath, StringComparison.Ordinal);
        });
    }

    private static bool IsAssembly(string file) => file.EndsWith(".dll", StringComparison.Ordinal);

    private static bool IsOwn(string file) => Path.GetFileName(file).StartsWith("Polyjuice", StringComparison.Ordinal);

    private static string Text(Package package, string file) => Encoding.UTF8.GetString(package.Read(file));
}
