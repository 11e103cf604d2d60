using System.CommandLine;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy …</c></summary>
internal static class PolicyCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() => new(
        "policy", "Looks at, checks, compares, explains and converts policy tables, and publishes them.")
    {
        PolicyListCommand.Create(),
        PolicyShowCommand.Create(),
        PolicyValidateCommand.Create(),
        PolicyDiffCommand.Create(),
        PolicyExplainCommand.Create(),
        PolicyImportCommand.Create(),
        PolicyExportCommand.Create(),
        PolicyPublishCommand.Create(),
        PolicyRollbackCommand.Create(),
        PolicyStatusCommand.Create(),
        PolicyKeygenCommand.Create(),
    };
}
