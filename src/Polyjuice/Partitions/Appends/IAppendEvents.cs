namespace Polyjuice.Partitions;

/// <summary>
/// Hears what becomes of appends. The log is below all parts that write into it, and what follows once a record is
/// durable is theirs: so it calls them through this, once a batch and not once a record.
/// </summary>
internal interface IAppendEvents
{
    /// <summary>A batch is in the log, and so are all before it.</summary>
    void Appended(LogBatch batch);

    /// <summary>Nobody can say when the log takes an append again.</summary>
    void LogOut();

    /// <summary>
    /// The error of L3, for the test that must notice it: a batch whose append has failed is taken for not written.
    /// </summary>
    void TakenForNotWritten(LogBatch batch);
}
