using System.CommandLine;
using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;
using Tpcc.Policies;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy import</c></summary>
internal static class PolicyImportCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var file = new Argument<string>("file") { Description = "A policy in the text format of the Polyjuice artifact." };
        var workload = PolicyArguments.Workload("The workload whose accesses the file's rows are", required: true);
        var grains = new Option<bool>("--grains") { Description = $"Names the access sites of this repository's grains instead of the artifact's, so that the table applies to them ({PaperRows.Catalogue.Workload}: samples/Tpcc)." };
        var output = PolicyArguments.Out();
        var command = new Command("import", "Turns a policy of the Polyjuice artifact into a policy file.") { file, workload, grains, output };
        command.SetAction(parsed =>
        {
            var path = parsed.GetRequiredValue(file);
            var document = ArtifactReader.Read(File.ReadAllText(path), path, parsed.GetRequiredValue(workload)!);
            if (parsed.GetValue(grains)) document = Fold(document, parsed.GetRequiredValue(workload)!);
            PolicyArguments.Write(parsed, parsed.GetValue(output), PolicyWriter.Write(document));
            return ExitCodes.Done;
        });
        return command;
    }

    private static PolicyDocument Fold(PolicyDocument document, string workload) => workload == PaperRows.Catalogue.Workload
        ? PaperRows.Catalogue.Fold(document)
        : throw new ArgumentException($"--grains: there are no grains for {workload}. Valid: {PaperRows.Catalogue.Workload}.");
}
