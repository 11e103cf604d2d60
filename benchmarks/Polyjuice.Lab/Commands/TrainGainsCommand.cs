using System.CommandLine;
using System.Text.Json;
using Polyjuice.Lab.Training;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab train gains</c>: how the table of docs/operate/training.md is made.</summary>
internal static class TrainGainsCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var file = new Argument<string>("file") { Description = "A file that 'train learn --json' has written." };
        var command = new Command("gains", "Prints what trainings came to on Orleans as a Markdown table.") { file };
        command.SetAction(async (parsed, _) =>
        {
            await parsed.InvocationConfiguration.Output.WriteAsync(
                GainTable.Of(await ReadAsync(parsed.GetValue(file)!)));
            return ExitCodes.Done;
        });
        return command;
    }

    /// <summary>Reads such a file.</summary>
    /// <param name="file">Which.</param>
    /// <exception cref="CommandInputException">It is something else, or can't be read.</exception>
    public static async Task<IReadOnlyList<LearnedGain>> ReadAsync(string file)
    {
        try
        {
            return await LearnedGain.ReadAsync(file);
        }
        catch (Exception exception) when (exception is JsonException or IOException or UnauthorizedAccessException)
        {
            throw new CommandInputException(
                $"'{file}' can't be read as what 'train learn --json' writes: {exception.Message}");
        }
    }
}
