using System.CommandLine;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary>
/// <c>polyjuice-lab train chooser …</c>: how the model is made by which a table is chosen at run time.
/// </summary>
internal static class TrainChooserCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() =>
        new("chooser", "Measures tables under many loads, and trains the model by which silos choose among them.")
        {
            ChooserMeasureCommand.Create(),
            ChooserFitCommand.Create(),
        };
}
