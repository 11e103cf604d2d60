namespace Polyjuice.Testing;

/// <summary>
/// One access of a run: what was seen and written where the function ran, which may be more than once; the last time
/// counts, unless the engine says by its answer that it was another.
/// </summary>
/// <param name="attempt">Whose it is.</param>
/// <param name="key">The state.</param>
internal sealed class RecordedStep(RecordedAttempt attempt, string key)
{
    private Sight? _sight;

    /// <summary>The state.</summary>
    public string Key => key;

    /// <summary>What was seen; nothing if the function never ran.</summary>
    public Sight? Sight => _sight;

    /// <summary>Where the function runs: a read.</summary>
    public Sight Read<T>(Stamped<T> state) where T : class, new() => (_sight = attempt.See(state)).Value;

    /// <summary>Where the function runs: an update, once the application's function has changed the state.</summary>
    /// <param name="before">What it saw.</param>
    /// <param name="state">What it leaves; gets its stamp.</param>
    /// <param name="content">The state's encoding.</param>
    public Sight Update<T>(Sight before, Stamped<T> state, ReadOnlySpan<byte> content) where T : class, new() =>
        (_sight = attempt.Write(key, before, state, content)).Value;

    /// <summary>The access has succeeded, with this result.</summary>
    public void Succeeded(Sight sight) => _sight = sight;

    /// <summary>The access has failed: what it saw stands, what it wrote does not.</summary>
    public void Failed() => _sight = _sight is { } sight ? sight with { Written = null } : null;
}

/// <summary>What an access saw and wrote.</summary>
/// <param name="Order">Of all accesses in the process, by when their functions ran.</param>
/// <param name="Seen">The stamp that it saw; nothing for the initial state.</param>
/// <param name="Written">The stamp that it left, if it is an update.</param>
internal readonly record struct Sight(long Order, long? Seen, long? Written);
