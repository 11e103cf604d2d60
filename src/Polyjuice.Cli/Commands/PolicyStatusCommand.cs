using System.CommandLine;
using System.Globalization;
using Polyjuice.Cli.Policies;
using Polyjuice.Publishing;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy status</c></summary>
internal static class PolicyStatusCommand
{
    private const int DigestShown = 12;

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var store = PolicyLocation.Store();
        var publishers = new Option<string[]>("--publisher-key")
        {
            Description =
                "The public key of somebody who may publish; can be given several times. Default: signatures are "
                + "shown, and not checked.",
            HelpName = "file"
        };
        var silos = new Option<string[]>("--rollback-key")
        {
            Description = "The public key of somebody who may only roll back; can be given several times.",
            HelpName = "file"
        };
        var command = new Command(
            "status",
            "Shows what was published, which release silos are to take, and whether digests and signatures are right. "
            + "Exit code 1: not all of it is.")
        {
            store, publishers, silos
        };
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var trust = new PolicyTrust(Keys(parsed.GetValue(publishers)), Keys(parsed.GetValue(silos)));
            var entries = PolicyLocation.Open(parsed.GetRequiredValue(store));

            // Silos may be told a folder that is not there yet; who looks has most likely mistyped it.
            if (entries is FilePolicyEntries && !Directory.Exists(entries.Location))
                throw new DirectoryNotFoundException(
                    $"There is no folder {entries.Location}. 'polyjuice policy publish' makes it.");
            var repository = new PolicyRepository(entries, TimeProvider.System, trust);
            var history = await repository.ReadAsync(cancellationToken: cancellationToken);
            Print(history, repository.Location, trust.NeedsSignatures, parsed.InvocationConfiguration.Output);
            return history.Entries.All(entry => entry.State == PolicyEntryState.Valid) ? ExitCodes.Done : ExitCodes.No;
        });
        return command;
    }

    private static IEnumerable<PolicyVerificationKey> Keys(string[]? files) =>
        (files ?? []).Select(file => PolicyLocation.Read(file, PolicyVerificationKey.Parse)).ToList();

    private static void Print(PolicyHistory history, string location, bool isChecked, TextWriter output)
    {
        output.WriteLine(history.Last == 0
            ? $"Nothing is published in {location}."
            : $"{history.Last} entries in {location}.");
        foreach (var entry in history.Entries)
        {
            var digest = entry.Sha256.Length >= DigestShown ? entry.Sha256[..DigestShown] : "-";
            var signed = entry.Key.Length == 0 ? "not signed" : $"key {entry.Key}{(isChecked ? "" : " (not checked)")}";
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{(entry.IsRelease && entry.Number == history.InForce ? "*" : " ")} {entry.Number,4}  "
                + $"{entry.At:yyyy-MM-dd HH:mm:ss}  {digest}  {signed}  "
                + $"{(entry.By.Length > 0 ? $"by {entry.By}: " : "")}{(entry.IsRelease ? $"release of {entry.Text}" : entry.Text)}"));
            if (entry.State != PolicyEntryState.Valid)
                output.WriteLine(
                    $"        {(entry.State == PolicyEntryState.Broken ? "BROKEN: nothing from here on counts" : "PASSED OVER")}: it {entry.Problem}.");
        }

        output.WriteLine(history.InForce == 0
            ? "Published: no release, so silos keep what they are started with."
            : $"Published: release {history.InForce}, {history.Entries[history.InForce - 1].Text}. A silo may refuse "
                + "it or take it back. What each runs: the metric polyjuice.policy.release and the live page.");
    }
}
