using System.CommandLine;
using Polyjuice.Lab.Tool.Experiments;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab experiment report</c></summary>
internal static class ExperimentReportCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var folder = new Argument<string>("folder") { Description = "Where results are, as --out has written them." };
        var command = new Command(
            "report", "Makes index.html again, out of all results of a folder: of several runs, or machines.")
        {
            folder
        };
        command.SetAction(async (parsed, _) =>
        {
            await new ExperimentFiles { Folder = parsed.GetValue(folder)! }.WriteReportAsync(
                parsed.InvocationConfiguration.Output);
            return ExitCodes.Done;
        });
        return command;
    }
}
