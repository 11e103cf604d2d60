namespace Polyjuice.Orleans.Transactions;

/// <summary>How many a <see cref="PlaceQueue"/> lets be open at a time: always as many, unless
/// it goes by what it is told. Its queue asks it under a lock.</summary>
internal interface IPlaceLimit
{
    /// <summary>How many may be open. Read on any thread.</summary>
    int Value { get; }

    /// <summary>
    /// Whether what would wait for too long, by how fast the queue moves, may be refused at once: not while the limit
    /// itself is what holds it up.
    /// </summary>
    bool MayRefuse => true;

    /// <summary>Goes by how it goes, every few milliseconds while any wait.</summary>
    /// <param name="open">How many are open.</param>
    /// <param name="perSecond">How many end in a second; 0 if that is not known.</param>
    /// <param name="ended">How many have ended since the last look.</param>
    void Adapt(int open, double perSecond, int ended)
    {
    }

    /// <summary>Goes by one that has ended, and of which is known whether it has waited where it went.</summary>
    /// <param name="open">How many are open, with it.</param>
    /// <param name="hasWaited">Whether it has waited for long.</param>
    void Answered(int open, bool hasWaited)
    {
    }

    /// <summary>Nobody waits.</summary>
    /// <param name="open">How many are open.</param>
    void Rest(int open)
    {
    }
}
