using System.CommandLine;
using System.Text;
using Polyjuice.Publishing;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy keygen</c></summary>
internal static class PolicyKeygenCommand
{
    private const string PublicSuffix = ".pub";

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var output = new Option<string>("--out", "-o")
        {
            Description =
                $"The file of the private key, which is a secret; the public one goes beside it, FILE{PublicSuffix}. "
                + "Neither may be there.",
            HelpName = "file",
            Required = true
        };
        var command = new Command(
            "keygen",
            "Makes a key to sign published policies with (ECDSA, P-256): the private half for who publishes, the "
            + "public half for silos.")
        {
            output
        };
        command.SetAction(parsed =>
        {
            var path = parsed.GetRequiredValue(output);
            if (File.Exists(path + PublicSuffix))
                throw new IOException($"{path + PublicSuffix} is there already; use another name.");
            var key = PolicySigningKey.Generate();
            Write(path, key.ToPem(), isSecret: true);
            Write(path + PublicSuffix, key.Verification.ToPem(), isSecret: false);
            parsed.InvocationConfiguration.Output.WriteLine(
                $"Key {key.Verification.Id}: {path} (private: keep it where secrets are kept) and "
                + $"{path + PublicSuffix} (public: PublisherKeys or RollbackKeys of silos).");
            return ExitCodes.Done;
        });
        return command;
    }

    /// <summary>Never over another key, and a secret for its owner alone from the first byte.</summary>
    private static void Write(string path, string text, bool isSecret)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (isSecret && !OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        using var file = new FileStream(path, options);
        file.Write(Encoding.ASCII.GetBytes(text));
    }
}
