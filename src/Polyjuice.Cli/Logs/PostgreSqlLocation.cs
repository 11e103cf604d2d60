using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Cli.Logs;

/// <summary>
/// A PostgreSQL database, named by its address, as errors name it. A password is never part of the command line: the
/// client takes it from <c>PGPASSWORD</c>, or from the file that <c>PGPASSFILE</c> names, and the user from
/// <c>PGUSER</c>.
/// </summary>
internal static class PostgreSqlLocation
{
    /// <summary>How it looks, for help.</summary>
    public const string Form = "postgresql://HOST:PORT/DATABASE/SCHEMA";

    private const string Scheme = "postgresql://";

    /// <summary>Whether that is an address of a database.</summary>
    public static bool IsOne(string data) => data.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase);

    /// <summary>How to get there.</summary>
    /// <param name="data">Hosts with their ports, database and schema, with a prefix behind it if there is one;
    /// perhaps <c>USER@</c> before the hosts.</param>
    /// <param name="option">The option that it was typed behind, for errors.</param>
    /// <exception cref="ArgumentException">It is no database's address.</exception>
    public static PostgreSqlLogOptions Parse(string data, string option = "--data")
    {
        var parts = data[Scheme.Length..].Split('/', 4);
        var user = parts[0].Split('@', 2) is [var named, _] ? named : null;
        if (user?.Contains(':', StringComparison.Ordinal) == true) throw new ArgumentException($"{option}: leave the "
            + $"password out of the address, where everybody may read it; set PGPASSWORD or PGPASSFILE.");
        if (parts.Length < 2 || parts.Take(2).Any(string.IsNullOrWhiteSpace)) throw new ArgumentException(
            $"{option}: '{data}' names no database. It looks like {Form}, with the prefix behind it if there is one.");
        var hosts = Uri.UnescapeDataString(parts[0][(user is null ? 0 : user.Length + 1)..]);
        var connection = new NpgsqlConnectionStringBuilder { Host = hosts, Database = parts[1], Username = user };
        if (!hosts.Contains(',', StringComparison.Ordinal) && hosts.LastIndexOf(':') is var colon and > 0
            && int.TryParse(hosts[(colon + 1)..], out var port))
            (connection.Host, connection.Port) = (hosts[..colon], port);
        var options = new PostgreSqlLogOptions { ConnectionString = connection.ConnectionString, CreateSchema = false };
        if (parts.Length > 2 && parts[2].Length > 0) options.Schema = parts[2];
        if (parts.Length > 3) options.KeyPrefix = parts[3];
        return options;
    }
}
