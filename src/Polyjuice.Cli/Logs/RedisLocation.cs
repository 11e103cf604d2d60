using Orleans.Configuration;
using StackExchange.Redis;

namespace Polyjuice.Cli.Logs;

/// <summary>
/// A Redis server, named by its address, as errors name it. A password is never part of the command line: it is taken
/// from the environment, as the server's own tool does.
/// </summary>
internal static class RedisLocation
{
    /// <summary>How it looks, for help.</summary>
    public const string Form = "redis://HOST:PORT/NUMBER/PREFIX";

    /// <summary>The variable that has the password.</summary>
    public const string Password = "REDISCLI_AUTH";

    private const string Scheme = "redis://";
    private const string SecureScheme = "rediss://";

    /// <summary>Whether that is an address of a server.</summary>
    public static bool IsOne(string data) =>
        data.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase)
            || data.StartsWith(SecureScheme, StringComparison.OrdinalIgnoreCase);

    /// <summary>How to get there.</summary>
    /// <param name="data">Servers with their ports, the number of the database, and the prefix; perhaps <c>USER@</c>
    /// before the servers. <c>rediss:</c> is by TLS.</param>
    /// <param name="environment">A variable's value.</param>
    /// <param name="option">The option that it was typed behind, for errors.</param>
    /// <exception cref="ArgumentException">It is no server's address.</exception>
    public static RedisLogOptions Parse(string data, Func<string, string?> environment, string option = "--data")
    {
        var isSecure = data.StartsWith(SecureScheme, StringComparison.OrdinalIgnoreCase);
        var parts = data[(isSecure ? SecureScheme : Scheme).Length..].Split('/', 3);
        var user = parts[0].Split('@', 2) is [var named, _] ? named : null;
        if (user?.Contains(':', StringComparison.Ordinal) == true)
            throw new ArgumentException(
                $"{option}: leave the password out of the address, where everybody may read it; set {Password}.");
        var servers = parts[0][(user is null ? 0 : user.Length + 1)..];
        if (parts.Length < 3 || servers.Length == 0 || parts[2].Length == 0
            || !int.TryParse(parts[1], out var database))
            throw new ArgumentException($"{option}: '{data}' is no address of a place in Redis. It looks like {Form}, "
                + $"as in redis://redis:6379/0/polyjuice.");
        var settings = ConfigurationOptions.Parse(servers);
        (settings.Ssl, settings.User, settings.DefaultDatabase) = (isSecure, user, database);
        if (environment(Password) is { Length: > 0 } password) settings.Password = password;
        return new RedisLogOptions { ConnectionString = settings.ToString(includePassword: true),
            KeyPrefix = parts[2] };
    }
}
