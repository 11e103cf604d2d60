using System.CommandLine;
using Polyjuice.Policies;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy diff</c></summary>
internal static class PolicyDiffCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var left = PolicyArguments.Policy("left");
        var right = PolicyArguments.Policy("right");
        var workload = PolicyArguments.Workload(
            "The workload over which to spell out two policies without a catalogue");
        var command = new Command("diff", "Shows the cells in which two policies differ. Exit code 0: none; 1: some.")
        {
            left, right, workload
        };
        command.SetAction(parsed =>
        {
            var (a, b) = (Load(parsed.GetRequiredValue(left)), Load(parsed.GetRequiredValue(right)));
            parsed.InvocationConfiguration.Output.Write(PolicyDiff.Render(a, b));
            return PolicyDiff.Compare(a, b).Count == 0 ? ExitCodes.Done : ExitCodes.No;

            PolicyDocument Load(string policy) => PolicyArguments.Load(policy, parsed.GetValue(workload));
        });
        return command;
    }
}
