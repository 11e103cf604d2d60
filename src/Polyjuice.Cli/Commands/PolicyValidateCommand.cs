using System.CommandLine;
using Polyjuice.Cli.Policies;
using Polyjuice.Policies;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy validate</c></summary>
internal static class PolicyValidateCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var files = new Argument<string[]>("file") { Description = "Policy files.", Arity = ArgumentArity.OneOrMore };
        var traces = new Option<string[]>("--trace")
        {
            Description =
                "A file of traces of the application, or a folder of them; can be given several times. Types of a "
                    + "policy that did not run there are named.",
            HelpName = "path",
        };
        var command = new Command(
            "validate",
            "Checks policy files; names file, line, column and field of everything that is wrong. Exit code 1: "
            + "something is, or none of a policy's types is in the trace.") { files, traces };
        command.SetAction((parsed, cancellationToken) =>
        {
            var known = parsed.GetValue(traces) is { Length: > 0 } paths
                ? new RecordedTypes(TraceFile.Read(paths, cancellationToken).Trace)
                : null;
            var areAllValid = true;
            foreach (var file in parsed.GetRequiredValue(files))
                areAllValid &= Validate(file, known, parsed.InvocationConfiguration);
            return Task.FromResult(areAllValid ? ExitCodes.Done : ExitCodes.No);
        });
        return command;
    }

    private static bool Validate(string file, RecordedTypes? known, InvocationConfiguration console)
    {
        PolicyDocument document;
        try
        {
            document = PolicyReader.Load(file);
        }
        catch (PolicyFormatException exception)
        {
            console.Error.WriteLine(exception.Message);
            return false;
        }

        var rows = document.Types.Sum(static type => type.Rows.Count);
        console.Output.WriteLine(
            $"{file}: valid; {document.Name}, {document.Catalogue.Types.Count} types, {rows} rows");
        var unknown = known is null ? [] : PolicyTypes.UnknownIn(new DocumentPolicy(document), known);
        if (unknown.Count == 0) return true;
        console.Error.WriteLine($"{file}: types that did not run in the trace: {string.Join(", ", unknown)}");
        return unknown.Count < PolicyTypes.NamedBy(document).Count;
    }
}
