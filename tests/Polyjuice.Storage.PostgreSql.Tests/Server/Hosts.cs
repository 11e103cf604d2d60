using System.Globalization;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>A connection string that names several servers.</summary>
internal static class Hosts
{
    /// <summary>
    /// Of servers of one cluster. What each of them is, is asked each time, and not remembered for seconds.
    /// </summary>
    public static string Of(IEnumerable<PostgreSqlServer> servers) =>
        $"Host={string.Join(',', servers.Select(server => $"127.0.0.1:{server.Port.ToString(CultureInfo.InvariantCulture)}"))};"
        + "Database=postgres;Username=postgres;Host Recheck Seconds=0";
}
