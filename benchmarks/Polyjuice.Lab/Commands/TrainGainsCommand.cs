using System.CommandLine;
using System.Text.Json;
using Polyjuice.Lab.Training;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab train gains</c>: how the table of docs/training.md is made.</summary>
internal static class TrainGainsCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var file = new Argument<string>("file") { Description = "A file that 'train learn --json' has written." };
        var command = new Command("gains", "Prints what trainings came to on Orleans as a Markdown table.") { file };
        command.SetAction(async (parsed, _) =>
        {
            try
            {
                await parsed.InvocationConfiguration.Output.WriteAsync(GainTable.Of(await LearnedGain.ReadAsync(parsed.GetValue(file)!)));
                return ExitCodes.Done;
            }
            catch (Exception exception) when (exception is JsonException or IOException or UnauthorizedAccessException)
            {
                throw new CommandInputException($"'{parsed.GetValue(file)}' can't be read as what 'train learn --json' writes: {exception.Message}");
            }
        });
        return command;
    }
}
