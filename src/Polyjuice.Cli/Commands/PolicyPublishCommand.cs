using System.CommandLine;
using Polyjuice.Cli.Policies;
using Polyjuice.Policies;
using Polyjuice.Publishing;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy publish</c></summary>
internal static class PolicyPublishCommand
{
    private const string PolicySuffix = ".json";
    private const string ProvenanceSuffix = ".provenance.json";

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var policy = PolicyArguments.Policy();
        var (store, key, by, expect) =
            (PolicyLocation.Store(), PolicyLocation.Key(), PolicyLocation.By(), PolicyLocation.Expect());
        var provenance = new Option<string?>("--provenance")
        {
            Description =
                $"A file that says where the policy came from. Default: NAME{ProvenanceSuffix} beside "
                + $"NAME{PolicySuffix}, if there is one.",
            HelpName = "file"
        };
        var command = new Command(
            "publish",
            "Publishes a policy: silos that follow the place put it in force, and take it back by themselves if it is "
            + "worse than what was there. Exit code 1: somebody else was faster.")
        {
            policy, store, key, provenance, by, expect
        };
        command.SetAction((parsed, cancellationToken) => PolicyLocation.RunAsync(
            async token =>
            {
                var named = parsed.GetRequiredValue(policy);
                var text = PolicySource.IsPath(named)
                    ? await File.ReadAllTextAsync(named, token)
                    : PolicyWriter.Write(BuiltinPolicies.Get(named).Document);
                if (PolicySource.IsPath(named)) PolicyReader.Parse(text, named);
                var signer = parsed.GetValue(key) is { } file
                    ? PolicyLocation.Read(file, PolicySigningKey.Parse)
                    : null;
                var repository = new PolicyRepository(
                    PolicyLocation.Open(parsed.GetRequiredValue(store)), TimeProvider.System, key: signer);
                var from = parsed.GetValue(provenance) ?? BesideOf(named);
                var release = await repository.PublishAsync(
                    text,
                    parsed.GetValue(by)!,
                    from is null ? null : await File.ReadAllTextAsync(from, token),
                    parsed.GetValue(expect),
                    token);
                var output = parsed.InvocationConfiguration.Output;
                await output.WriteLineAsync(
                    $"Published {release.Name} as release {release.Number} of "
                    + $"{repository.Location}{(release.Signature is { } signature ? $", signed with key {signature.Key}" : ", not signed")}.");
            },
            parsed.InvocationConfiguration.Error, cancellationToken));
        return command;
    }

    private static string? BesideOf(string policy)
    {
        if (!policy.EndsWith(PolicySuffix, StringComparison.OrdinalIgnoreCase)) return null;
        var provenance = policy[..^PolicySuffix.Length] + ProvenanceSuffix;
        return File.Exists(provenance) ? provenance : null;
    }
}
