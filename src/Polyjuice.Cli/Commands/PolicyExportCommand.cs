using System.CommandLine;
using Polyjuice.Policies.Artifact;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy export</c></summary>
internal static class PolicyExportCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var policy = PolicyArguments.Policy();
        var workload = PolicyArguments.Workload("The workload over which to spell out a policy without a catalogue");
        var output = PolicyArguments.Out();
        var command = new Command("export", "Turns a policy into the text format of the Polyjuice artifact.")
        {
            policy, workload, output
        };
        command.SetAction(parsed =>
        {
            var document = PolicyArguments.Load(parsed.GetRequiredValue(policy), parsed.GetValue(workload));
            PolicyArguments.Write(parsed, parsed.GetValue(output), ArtifactWriter.Write(document));
            return ExitCodes.Done;
        });
        return command;
    }
}
