using System.CommandLine;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice trainer …</c></summary>
internal static class TrainerCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() => new(
        "trainer",
        "Keeps a cluster's table up to date: collects its traces, forecasts its conflict rate, and trains and "
        + "publishes a table when that pays.")
    {
        TrainerRunCommand.Create(),
        TrainerForecastCommand.Create(),
    };
}
