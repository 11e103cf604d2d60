using Polyjuice.Execution;

namespace Polyjuice.Commit;

// A row is an image that is written down after every batch: it is read back record by record, and changed in steps.
internal sealed partial class LogImage
{
    /// <summary>Adds a batch, and leaves all in it: what is over is folded away by whoever asks for that.</summary>
    public void AddOnly(ReadOnlySpan<byte> batch)
    {
        AddRecords(batch);
        _added = 0;
    }

    /// <summary>Folds committed states, as <see cref="Compact"/> does, and forgets no outcome yet.</summary>
    public void Fold() => FoldPrepares();

    /// <summary>Whether a prepare is there which is not folded away.</summary>
    public bool TryGetPrepare(TransactionId id, out RecoveredPrepare prepare)
    {
        var isKnown = _prepares.TryGetValue(id, out var node);
        prepare = node?.Value!;
        return isKnown;
    }

    /// <summary>Adds what was read back from elsewhere than a batch.</summary>
    public void Restore(RecoveredPrepare prepare) => AddPrepare(prepare);

    /// <inheritdoc cref="Restore(RecoveredPrepare)"/>
    public void RestoreCeiling(long ceiling) => Ceiling = Math.Max(Ceiling, ceiling);

    /// <summary>Lets go of encoded states, which are elsewhere by now.</summary>
    public void DropStates()
    {
        foreach (var (key, state) in States)
        {
            if (state.Encoded.Length > 0) States[key] = state with { Encoded = [] };
        }

        foreach (var prepare in _order)
        {
            for (var i = 0; i < prepare.Writes.Count; i++)
            {
                if (prepare.Writes[i].Encoded.Length > 0) prepare.Writes[i] = prepare.Writes[i] with { Encoded = [] };
            }
        }
    }
}
