using System.CommandLine;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab train …</c></summary>
internal static class TrainCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() => new(
        "train",
        "Learns tables for workloads on Orleans, and says what searches are worth. For applications there is "
        + "'polyjuice train'.")
    {
        TrainLearnCommand.Create(),
        TrainGainsCommand.Create(),
        TrainCompareCommand.Create(),
        TrainEnumerateCommand.Create(),
        TrainChooserCommand.Create(),
    };
}
