namespace Polyjuice.Tests.Shared;

/// <summary>Where <c>redis-server</c> is on this machine. Nothing is downloaded.</summary>
public static class RedisInstallation
{
    /// <summary>The environment variable that names another one.</summary>
    public const string Variable = "REDIS_SERVER";

    /// <summary>The program; <see langword="null"/> if there is none.</summary>
    public static string? Program { get; } = InstalledPrograms.Find(Variable, "redis-server");

    /// <summary>What is missing, and what to do; <see langword="null"/> if a server can be started.</summary>
    public static string? Missing => Program is not null
        ? null
        : "There is no Redis server on this machine. Install it (Debian: apt-get install redis-server), or set "
        + $"{Variable} to the program, and run the tests again.";
}
