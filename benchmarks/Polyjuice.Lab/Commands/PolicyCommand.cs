using System.CommandLine;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab policy …</c></summary>
internal static class PolicyCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() => new(
        "policy", "Fits tables of the papers' authors to the grains of this repository.")
    {
        PolicyImportCommand.Create(),
    };
}
