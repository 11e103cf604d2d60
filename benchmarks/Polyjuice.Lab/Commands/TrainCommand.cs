using System.CommandLine;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab train …</c></summary>
internal static class TrainCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() => new("train", "Says what searches for tables are worth. Tables themselves are searched by 'polyjuice train'.")
    {
        TrainCompareCommand.Create(),
        TrainEnumerateCommand.Create(),
    };
}
