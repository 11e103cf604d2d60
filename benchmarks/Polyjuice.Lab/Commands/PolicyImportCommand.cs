using System.CommandLine;
using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;
using Tpcc.Policies;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab policy import</c></summary>
internal static class PolicyImportCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var file = new Argument<string>("file")
        {
            Description = "A policy for TPC-C in the text format of the Polyjuice artifact."
        };
        var output = new Option<string?>("--out", "-o")
        {
            Description = "Writes the table to this file instead of the standard output.", HelpName = "file"
        };
        var command = new Command(
            "import",
            "Turns a policy of the Polyjuice artifact into a policy file that names the access sites of samples/Tpcc, "
            + "so that the table applies to its grains.")
        {
            file, output
        };
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var path = parsed.GetRequiredValue(file);
            var document = PaperRows.Catalogue.Fold(
                ArtifactReader.Read(
                    await File.ReadAllTextAsync(path, cancellationToken), path, PaperRows.Catalogue.Workload));
            var text = PolicyWriter.Write(document);
            if (parsed.GetValue(output) is { } target) await File.WriteAllTextAsync(target, text, cancellationToken);
            else await parsed.InvocationConfiguration.Output.WriteAsync(text);
            return ExitCodes.Done;
        });
        return command;
    }
}
