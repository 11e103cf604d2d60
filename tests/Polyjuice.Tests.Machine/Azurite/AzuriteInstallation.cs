using System.Diagnostics;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// Where Azurite is on this machine: in <c>eng/azurite/node_modules</c>, put there by <c>.ci/run</c>, or by the tests
/// themselves, once, outside of continuous integration.
/// </summary>
public static class AzuriteInstallation
{
    private const string OutsideOfRepository =
        "Azurite is installed in eng/azurite of the repository, and this program runs outside of it. Run it from "
        + "within the repository.";

    private static readonly TimeSpan s_installTimeout = TimeSpan.FromMinutes(4);
    private static readonly string? s_root = RepositoryRoot();
    private static readonly Lazy<string?> s_missing = new(Find);

    /// <summary>What is missing, and what to run; <see langword="null"/> if Azurite can be started.</summary>
    public static string? Missing => s_missing.Value;

    public static string Folder =>
        Path.Combine(s_root ?? throw new InvalidOperationException(OutsideOfRepository), "eng", "azurite");

    /// <summary>All of Azurite's services.</summary>
    public static string Script => Path.Combine(Folder, "node_modules", "azurite", "dist", "src", "azurite.js");

    private static string? Find()
    {
        const string advice =
            "Install Node.js (version 20 or later) with npm, run 'npm ci' in eng/azurite, and run the tests again.";
        if (s_root is null) return OutsideOfRepository;
        if (Run("node", "--version") is { } node) return $"Azurite can't run: {node}. {advice}";
        if (File.Exists(Script)) return null;
        if (InstalledPrograms.AreRequired) return $"Azurite is not installed. {advice}";
        if (Run(
            "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1",
            "--fetch-timeout=60000") is { } npm)
            return $"Azurite could not be installed: {npm}. {advice}";
        return File.Exists(Script) ? null : $"npm installed no Azurite. {advice}";
    }

    /// <summary>What went wrong, if anything did.</summary>
    private static string? Run(string command, params string[] arguments)
    {
        // On Windows npm is a script, which only the shell starts.
        var start = OperatingSystem.IsWindows() && command == "npm"
            ? new ProcessStartInfo("cmd", ["/c", command, .. arguments])
            : new ProcessStartInfo(command, arguments);
        start.WorkingDirectory = Folder;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        try
        {
            using var process = Process.Start(start)!;
            var errors = process.StandardError.ReadToEndAsync();
            var output = process.StandardOutput.ReadToEndAsync();
            if (!process.WaitForExit(s_installTimeout))
            {
                process.Kill(entireProcessTree: true);
                return $"'{command} {string.Join(' ', arguments)}' had not ended after {s_installTimeout}";
            }

            Task.WaitAll(errors, output);
            return process.ExitCode == 0
                ? null
                : $"'{command} {string.Join(' ', arguments)}' ended with exit code {process.ExitCode}";
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            return $"'{command}' can't be started ({exception.Message})";
        }
    }

    private static string? RepositoryRoot()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Polyjuice.sln"))) return folder.FullName;
        }

        return null;
    }
}
