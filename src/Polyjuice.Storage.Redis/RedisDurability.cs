namespace Orleans.Configuration;

/// <summary>When a Redis server may answer an append.</summary>
public enum RedisDurability
{
    /// <summary>
    /// When it is on the server's disk: <c>appendonly yes</c> and <c>appendfsync always</c>. A server that is set
    /// otherwise, or that does not say how it is set, is refused at start.
    /// </summary>
    EveryAppend,

    /// <summary>
    /// When the server says so, however it is set; a warning says what may be lost. With <c>appendfsync everysec</c> a
    /// crash of the server loses what was answered in the last two seconds, and with <c>appendonly no</c> all since
    /// the last snapshot. Transactions that callers were told committed are then gone.
    /// </summary>
    AsConfigured,
}
