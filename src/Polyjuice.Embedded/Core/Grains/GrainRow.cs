using Polyjuice.Execution;

namespace Polyjuice.Embedded.Core;

/// <summary>A state of an activation that is kept in a row: served while the activation lives.</summary>
internal sealed class GrainRow(ParticipantKey key, TransactionEngine engine, Func<CancellationToken, Task> acquire)
{
    /// <summary>Completes when the state is served here.</summary>
    public Task AcquireAsync(CancellationToken cancellationToken) => acquire(cancellationToken);

    /// <summary>Whether nobody would have to wait if the activation went away.</summary>
    public bool IsAtRest => engine.IsRowAtRest(key);

    /// <summary>The activation goes away.</summary>
    public void Release() => engine.ReleaseRow(key);
}
