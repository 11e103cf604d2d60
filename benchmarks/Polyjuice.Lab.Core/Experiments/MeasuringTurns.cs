namespace Polyjuice.Lab.Experiments;

/// <summary>
/// Lets measurements that are to be compared take turns, a slice of time each, so that a machine that is slow for some
/// seconds is slow for all of them. Each has one turn in every cycle, and cycles are shuffled, so that none always
/// comes after the same other one. Thread-safe.
/// </summary>
/// <remarks>
/// To interleave what is compared, in random order within blocks, is what takes a
/// drift of the machine out of a comparison (randomised blocks: Fisher, "The
/// design of experiments", 1935); the shorter the blocks, the less of it is left.
/// </remarks>
internal sealed class MeasuringTurns
{
    private readonly Lock _lock = new();
    private readonly Random _random;
    private readonly List<MeasuringTurn> _present;

    // Those that are still to have their turn, whose turn it is first.
    private readonly List<MeasuringTurn> _cycle = [];

    /// <summary>
    /// Turns for so many measurements. Each waits for those before
    /// it in a cycle, however long they take to ask for theirs.
    /// </summary>
    /// <param name="count">How many; at least 1.</param>
    /// <param name="seed">Of the orders.</param>
    public MeasuringTurns(int count, int seed)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        _random = new Random(seed);
        All = [.. Enumerable.Range(0, count).Select(_ => new MeasuringTurn(this))];
        _present = [.. All];
        BeginCycle();
    }

    /// <summary>One for each measurement.</summary>
    public IReadOnlyList<MeasuringTurn> All { get; }

    /// <summary>Turns for a measurement that is not compared with another one: all are its own.</summary>
    public static MeasuringTurn Alone() => new MeasuringTurns(1, seed: 0).All[0];

    internal Task TakeAsync(MeasuringTurn turn)
    {
        lock (_lock)
        {
            if (!_present.Contains(turn)) throw new InvalidOperationException("Whoever has left takes no more turns.");
            turn.IsAsked = true;
            Grant();
            return turn.Granted.Task;
        }
    }

    internal void Pass(MeasuringTurn turn)
    {
        lock (_lock)
        {
            if (!turn.Granted.Task.IsCompleted)
                throw new InvalidOperationException("Only whose turn it is can pass it on.");
            turn.Granted = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _cycle.RemoveAt(0);
            Grant();
        }
    }

    internal void Leave(MeasuringTurn turn)
    {
        lock (_lock)
        {
            if (!_present.Remove(turn)) return;
            _cycle.Remove(turn);
            if (_present.Count > 0) Grant();
        }
    }

    private void Grant()
    {
        if (_cycle.Count == 0) BeginCycle();
        var next = _cycle[0];
        if (!next.IsAsked) return;
        next.IsAsked = false;
        next.Granted.SetResult();
    }

    private void BeginCycle()
    {
        var order = _present.ToArray();
        _random.Shuffle(order);
        _cycle.AddRange(order);
    }
}

/// <summary>The turns of one measurement. Leaves the others when it is disposed of.</summary>
internal sealed class MeasuringTurn : IDisposable
{
    private readonly MeasuringTurns _turns;

    internal MeasuringTurn(MeasuringTurns turns) => _turns = turns;

    internal bool IsAsked { get; set; }

    internal TaskCompletionSource Granted { get; set; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Comes back when it is its turn: until <see cref="Pass"/>, nobody else's.</summary>
    public Task TakeAsync() => _turns.TakeAsync(this);

    /// <summary>Ends its turn.</summary>
    public void Pass() => _turns.Pass(this);

    /// <inheritdoc/>
    public void Dispose() => _turns.Leave(this);
}
