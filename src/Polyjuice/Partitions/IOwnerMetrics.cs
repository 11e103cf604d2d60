namespace Polyjuice.Partitions;

/// <summary>Measures what owners do. On the engine's turn.</summary>
internal interface IOwnerMetrics
{
    /// <summary>Whether anybody wants to know the chains of dependencies, which have to be walked.</summary>
    bool MeasuresChains { get; }

    /// <summary>Whether anybody wants to know how long appends take.</summary>
    bool TimesAppends { get; }

    /// <summary>An append is durable.</summary>
    /// <param name="microseconds">How long that took.</param>
    /// <param name="bytes">Of its records.</param>
    /// <param name="isRow">Whether it went to a row of a storage provider, and not to a log.</param>
    void Appended(long microseconds, long bytes, bool isRow);

    /// <summary>
    /// On how many undecided transactions, each built upon the one before, one stands that is ordered.
    /// </summary>
    void Chain(int length);

    /// <summary>How many transactions an aborted version took with it.</summary>
    void Cascade(int length);
}
