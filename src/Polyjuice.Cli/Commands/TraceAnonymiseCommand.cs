using System.CommandLine;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice trace anonymise</c></summary>
internal static class TraceAnonymiseCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var paths = TraceInput.Paths();
        var file = TraceInput.Out("The trace without keys and silos' names.");
        var salt = CommandOptions.Optional(
            "--salt",
            "A secret of 8 characters at least, by which keys are hashed: the same in each trace in which grains are "
            + "to be the same. Default: keys are dropped.");
        var command = new Command(
            "anonymise",
            "Hashes or drops grains' keys, and drops silos' names and all calls with their arguments. Names of types, "
            + "methods, classes and states stay.")
        {
            paths, file, salt
        };
        command.SetAction((parsed, cancellationToken) =>
        {
            var secret = parsed.GetValue(salt);
            if (secret is { Length: < 8 })
                throw new CommandInputException($"{salt.Name}: a secret has 8 characters at least.");
            return EndedEarly.ReadingAsync(
                token => TraceInput.WriteAsync(
                    TraceInput.Read(parsed, paths, token).Trace.Anonymise(secret),
                    parsed.GetValue(file)!,
                    parsed.InvocationConfiguration.Output,
                    token),
                parsed.InvocationConfiguration.Error,
                cancellationToken);
        });
        return command;
    }
}
