using Polyjuice.Contracts;
using Polyjuice.Partitions;

namespace Polyjuice.Agents;

/// <summary>Measures what transactions do. On the engine's turn.</summary>
internal interface IEngineMetrics : IOwnerMetrics, IDisposable
{
    /// <summary>Whether anybody wants to know how long transactions take, which is worth computing only then.</summary>
    bool TimesTransactions { get; }

    /// <summary>Whether anybody wants to know of waits.</summary>
    bool TimesWaits { get; }

    /// <summary>A transaction has committed.</summary>
    void Committed();

    /// <summary>How long that took, from its first attempt on.</summary>
    void Took(long microseconds, string type);

    /// <summary>An attempt was aborted.</summary>
    void Aborted(AbortReason reason, string type);

    /// <summary>How many attempts a transaction took that needed more than one.</summary>
    void Attempts(int attempts);

    /// <summary>A wait has ended.</summary>
    /// <param name="microseconds">How long it was.</param>
    /// <param name="type">Who waited.</param>
    /// <param name="site">Before which access.</param>
    /// <param name="target">The type of the transaction that was waited for.</param>
    /// <param name="isSatisfied">Whether what was waited for has happened; if not, who waited was aborted.</param>
    void Waited(long microseconds, string type, string site, string target, bool isSatisfied);
}
