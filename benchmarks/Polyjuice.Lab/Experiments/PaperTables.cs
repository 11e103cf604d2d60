using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;
using Tpcc.Policies;

namespace Polyjuice.Lab.Tool.Experiments;

/// <summary>
/// Tables of the Polyjuice artifact, on the sites of this repository's grains. The files are in the tool;
/// artifact/NOTICE beside it says whose they are.
/// </summary>
internal static class PaperTables
{
    private const string Prefix = "artifact/";

    /// <summary>Those for TPC-C.</summary>
    public static IReadOnlyList<IPolicyCompiler> All =>
        [Tpcc("48th-1wh.txt", "trained for 1"), Tpcc("48th-4wh.txt", "trained for 4")];

    private static DocumentPolicy Tpcc(string file, string name)
    {
        using var stream = typeof(PaperTables).Assembly.GetManifestResourceStream(Prefix + file)
            ?? throw new InvalidOperationException($"The tool was built without {file}.");
        using var reader = new StreamReader(stream);
        var workload = PaperRows.Catalogue.Workload;
        return new DocumentPolicy(
            PaperRows.Catalogue.Fold(ArtifactReader.Read(reader.ReadToEnd(), file, workload)) with { Name = name });
    }
}
