using System.Diagnostics;

namespace Polyjuice.Tests.Shared;

/// <summary>Programs that refuse to run as root: they get another account where the tests run as root.</summary>
internal static class UnprivilegedProgram
{
    private static readonly string[] _accounts = ["postgres", "nobody"];
    private static readonly string? _account = Environment.IsPrivilegedProcess ? Find() : null;

    /// <summary>How to start one.</summary>
    /// <param name="folder">Where it works, and where it may write.</param>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its arguments.</param>
    public static ProcessStartInfo Of(DirectoryInfo folder, string program, params string[] arguments)
    {
        var start = _account is null ? new ProcessStartInfo(program, arguments)
            : new ProcessStartInfo(
            "setpriv", ["--reuid", _account, "--regid", Group(_account), "--clear-groups", program, .. arguments]);
        start.WorkingDirectory = folder.FullName;
        start.Environment["LC_ALL"] = "C";

        // Of whoever runs the tests; it would go to other places.
        foreach (
            var variable in start.Environment.Keys.Where(
            key => key.StartsWith("PG", StringComparison.Ordinal)).ToList()) start.Environment.Remove(variable);
        return start;
    }

    /// <summary>A new temporary folder that such programs may write in.</summary>
    /// <param name="name">What its name begins with.</param>
    public static async Task<DirectoryInfo> NewFolderAsync(string name)
    {
        var folder = Directory.CreateTempSubdirectory(name);
        if (_account is not null) await ServerProcess.RunAsync(
            new ProcessStartInfo("chown", [_account, folder.FullName]));
        return folder;
    }

    private static string Find()
    {
        var known = File.ReadLines("/etc/passwd").Select(line => line.Split(':')[0]).ToHashSet();
        return _accounts.First(known.Contains);
    }

    // The account's own, by its number: its name may be another one.
    private static string Group(string account) =>
        File.ReadLines("/etc/passwd").Select(line => line.Split(':')).First(entry => entry[0] == account)[3];
}
