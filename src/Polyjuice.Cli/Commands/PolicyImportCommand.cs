using System.CommandLine;
using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy import</c></summary>
internal static class PolicyImportCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var file = new Argument<string>("file")
        {
            Description = "A policy in the text format of the Polyjuice artifact."
        };
        var workload = PolicyArguments.Workload("The workload whose accesses the file's rows are", required: true);
        var output = PolicyArguments.Out();
        var command = new Command("import", "Turns a policy of the Polyjuice artifact into a policy file.")
        {
            file, workload, output
        };
        command.SetAction(parsed =>
        {
            var path = parsed.GetRequiredValue(file);
            var document = ArtifactReader.Read(File.ReadAllText(path), path, parsed.GetRequiredValue(workload)!);
            PolicyArguments.Write(parsed, parsed.GetValue(output), PolicyWriter.Write(document));
            return ExitCodes.Done;
        });
        return command;
    }
}
