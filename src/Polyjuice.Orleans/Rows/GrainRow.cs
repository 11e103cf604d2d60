using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Engine;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Rows;

/// <summary>
/// A state that an activation keeps in a row: served by its silo's engine while the activation lives.
/// </summary>
internal abstract class GrainRow(IGrainContext grain, ParticipantKey key, string? storage)
{
    private int _isRegaining;

    /// <summary>The activation.</summary>
    public IGrainContext Grain => grain;

    /// <summary>Which state of which grain.</summary>
    public ParticipantKey Key => key;

    /// <summary>The name of the storage that the state asks for; none for the silo's default one.</summary>
    public string Storage => storage ?? "";

    /// <summary>Whether nobody else is taking the row over again; thread-safe.</summary>
    public bool BeginRegaining() => Interlocked.Exchange(ref _isRegaining, 1) == 0;

    /// <summary>The end of that.</summary>
    public void EndRegaining() => Volatile.Write(ref _isRegaining, 0);

    /// <summary>Has an engine take the row over. On its turn.</summary>
    public abstract Task AcquireAsync(TransactionEngine engine, CancellationToken cancellationToken);

    /// <summary>Whether there is a state in the row, or what may become one, read beside the engine.</summary>
    public abstract Task<bool> HoldsStateAsync(CancellationToken cancellationToken);

    /// <summary>What is stored now, read beside the engine.</summary>
    public abstract Task<RowReport> InspectAsync(CancellationToken cancellationToken);
}
