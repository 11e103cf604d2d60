using System.CommandLine;
using Polyjuice.Policies;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy validate</c></summary>
internal static class PolicyValidateCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var files = new Argument<string[]>("file") { Description = "Policy files.", Arity = ArgumentArity.OneOrMore };
        var command = new Command("validate", "Checks policy files; names file, line, column and field of everything that is wrong.") { files };
        command.SetAction(parsed =>
        {
            var exitCode = ExitCodes.Done;
            foreach (var file in parsed.GetRequiredValue(files))
            {
                try
                {
                    var document = PolicyReader.Load(file);
                    var rows = document.Types.Sum(type => type.Rows.Count);
                    parsed.InvocationConfiguration.Output.WriteLine($"{file}: valid; {document.Name}, {document.Catalogue.Types.Count} types, {rows} rows");
                }
                catch (PolicyFormatException e)
                {
                    parsed.InvocationConfiguration.Error.WriteLine(e.Message);
                    exitCode = ExitCodes.No;
                }
            }

            return exitCode;
        });
        return command;
    }
}
