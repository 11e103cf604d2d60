namespace Polyjuice.Deploy.Tests;

/// <summary>What a silo's image has in it, by what its program was built with.</summary>
public sealed class ProgramTests
{
    // What belongs to one silo alone; the others' images do not have it.
    private static readonly Dictionary<string, string> s_grains = new()
    {
        ["bank"] = "BankAccount", ["smallbank"] = "Smallbank.Grains", ["tpcc"] = "Tpcc.Grains",
    };

    private static readonly string[] s_unwanted =
        ["Polyjuice.Testing", "Microsoft.Orleans.TestingHost", "Smallbank", "Tpcc"];

    public static TheoryData<string> Applications => [.. Dockerfile.Silos.Keys];

    [Theory]
    [MemberData(nameof(Applications))]
    public void It_has_its_own_grains_and_no_others_and_neither_the_laboratory_nor_test_clusters(string application)
    {
        var file = Path.ChangeExtension(Path.GetFileName(Dockerfile.Silos[application].Program), ".deps.json");
        var built = JsonNode.Parse(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, file)))!;
        var libraries = built["libraries"]!.AsObject().Select(library => library.Key.Split('/')[0]).ToList();
        Assert.Contains("Polyjuice.Orleans", libraries);
        Assert.Equal([s_grains[application]], libraries.Intersect(s_grains.Values));
        Assert.DoesNotContain(libraries, library => library.StartsWith("Polyjuice.Lab", StringComparison.Ordinal));
        Assert.Empty(libraries.Intersect(s_unwanted));
    }
}
