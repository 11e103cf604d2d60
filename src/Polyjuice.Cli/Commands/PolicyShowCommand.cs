using System.CommandLine;
using Polyjuice.Policies;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy show</c></summary>
internal static class PolicyShowCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var policy = PolicyArguments.Policy();
        var workload = PolicyArguments.Workload("The workload over which to spell out a policy without a catalogue");
        var json = new Option<bool>("--json")
        {
            Description = "Prints the policy file with every row spelled out, instead of a grid."
        };
        var command = new Command("show", "Draws a policy as a grid.") { policy, workload, json };
        command.SetAction(parsed =>
        {
            var document = PolicyArguments.Load(parsed.GetRequiredValue(policy), parsed.GetValue(workload));
            var text = parsed.GetValue(json)
                ? PolicyWriter.Write(new DocumentPolicy(document).Materialize())
                : PolicyGrid.Render(document);
            parsed.InvocationConfiguration.Output.Write(text);
            return ExitCodes.Done;
        });
        return command;
    }
}
