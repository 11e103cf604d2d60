namespace Polyjuice.Tests.Shared;

/// <summary>Where PostgreSQL's programs are on this machine. Nothing is downloaded.</summary>
public static class PostgreSqlInstallation
{
    /// <summary>The environment variable that names another folder.</summary>
    public const string Variable = "POSTGRESQL_BIN";

    /// <summary>The folder with <c>initdb</c> and <c>postgres</c>; <see langword="null"/> if there is none.</summary>
    public static string? Folder { get; } = Find();

    /// <summary>What is missing, and what to do; <see langword="null"/> if a server can be started.</summary>
    public static string? Missing => Folder is not null
        ? null
        : $"There is no PostgreSQL server on this machine. Install it (Debian: apt-get install postgresql), or set "
            + $"{Variable} to the folder with initdb and postgres, and run the tests again.";

    private static string? Find()
    {
        if (OperatingSystem.IsWindows()) return null;
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } named) return IsOne(named) ? named : null;

        // Debian has each version in a folder of its own, and none on the path.
        const string debian = "/usr/lib/postgresql";
        var versions = Directory.Exists(debian)
            ? Directory.GetDirectories(debian).OrderByDescending(
                folder => int.TryParse(Path.GetFileName(folder), out var version) ? version : 0).Select(
                folder => Path.Combine(folder, "bin"))
            : [];
        return versions.Concat(InstalledPrograms.Path).FirstOrDefault(IsOne);
    }

    private static bool IsOne(string folder) =>
        File.Exists(Path.Combine(folder, "initdb")) && File.Exists(Path.Combine(folder, "postgres"));
}
