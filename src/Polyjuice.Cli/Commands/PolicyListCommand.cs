using System.CommandLine;
using Polyjuice.Policies;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy list</c></summary>
internal static class PolicyListCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var command = new Command("list", "Lists the built-in policies.");
        command.SetAction(parsed =>
        {
            var width = BuiltinPolicies.Names.Max(name => name.Length);
            foreach (var policy in BuiltinPolicies.All)
                parsed.InvocationConfiguration.Output.WriteLine(
                    $"{policy.Name.PadRight(width)}  {policy.Document.Description}");
            return ExitCodes.Done;
        });
        return command;
    }
}
