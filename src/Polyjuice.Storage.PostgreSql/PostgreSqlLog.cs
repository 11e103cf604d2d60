using Microsoft.Extensions.Logging;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>What the store logs.</summary>
internal static partial class PostgreSqlLog
{
    [LoggerMessage(
        131, LogLevel.Warning,
        "{Location}: fsync or full_page_writes is off on this server. If its machine fails, transactions that were "
            + "answered are lost, and logs may be damaged. Switch both on.")]
    public static partial void NotDurable(ILogger logger, string location);

    [LoggerMessage(
        132, LogLevel.Warning,
        "{Location}: sessions outlive a silo whose machine has gone ({Lacks}), and may hold up its successor for as "
            + "long. Have the pooler or the server set that, or add to the connection string of "
            + "PostgreSqlLogOptions.DataSource: {Remedy}")]
    public static partial void LongSessions(ILogger logger, string location, string lacks, string remedy);
}
