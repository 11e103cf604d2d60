namespace Polyjuice.Tests.Shared;

/// <summary>Where <c>pgbouncer</c> is on this machine. Nothing is downloaded.</summary>
public static class PgBouncerInstallation
{
    /// <summary>The environment variable that names another one.</summary>
    public const string Variable = "PGBOUNCER";

    /// <summary>
    /// The program; <see langword="null"/> if there is none. Debian has it where only root's path leads.
    /// </summary>
    public static string? Program { get; } = InstalledPrograms.Find(Variable, "pgbouncer", "/usr/sbin");

    /// <summary>What is missing, and what to do; <see langword="null"/> if one can be started.</summary>
    public static string? Missing => Program is not null
        ? null
        : "There is no PgBouncer on this machine. Install it (Debian: apt-get install pgbouncer), or set "
            + $"{Variable} to the program, and run the tests again.";
}
