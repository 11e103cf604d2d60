using System.CommandLine;
using Polyjuice.Cli.Policies;
using Polyjuice.Publishing;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy rollback</c></summary>
internal static class PolicyRollbackCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var (store, key, by, expect) =
            (PolicyLocation.Store(), PolicyLocation.Key(), PolicyLocation.By(), PolicyLocation.Expect());
        var to = new Option<int?>("--to")
        {
            Description =
                "The release to go back to; 0 for what silos are started with. Default: the latest earlier one that "
                + "was not taken back itself.",
            HelpName = "number"
        };
        var reason = new Option<string>("--reason")
        {
            Description = "Why, for people.", HelpName = "text", Required = true
        };
        var command = new Command(
            "rollback",
            "Takes the published policy that is in force back. It is not taken again until it is published anew. Exit "
            + "code 1: somebody else was faster.")
        {
            store, to, reason, key, by, expect
        };
        command.SetAction((parsed, cancellationToken) => PolicyLocation.RunAsync(
            async token =>
            {
                var signer = parsed.GetValue(key) is { } file
                    ? PolicyLocation.Read(file, PolicySigningKey.Parse)
                    : null;
                var repository = new PolicyRepository(
                    PolicyLocation.Open(parsed.GetRequiredValue(store)), TimeProvider.System, key: signer);
                var entry = await repository.RollBackAsync(
                    parsed.GetRequiredValue(reason),
                    parsed.GetValue(by)!,
                    parsed.GetValue(to),
                    parsed.GetValue(expect),
                    token);
                await parsed.InvocationConfiguration.Output.WriteLineAsync(
                    $"Entry {entry.Number} of {repository.Location} takes release {entry.Of} back; "
                    + $"{(entry.To == 0 ? "what silos were started with" : $"release {entry.To}")} is in force "
                    + $"again{(entry.Signature is { } signature ? $". Signed with key {signature.Key}" : "")}.");
            },
            parsed.InvocationConfiguration.Error, cancellationToken));
        return command;
    }
}
