namespace Polyjuice.Embedded.Core;

/// <summary>
/// Decides which requests of one activation run together: any for reentrant classes, otherwise one at a time but for methods
/// that interleave. Requests that may not run wait in order; attempts that come back go first. Loop only.
/// </summary>
internal sealed class RequestGate(GrainClass grainClass)
{
    private readonly LinkedList<IGateEntrant> _waiting = new();
    private int _runningReadOnly;

    /// <summary>How many run now.</summary>
    public int Running { get; private set; }

    /// <summary>How many wait.</summary>
    public int Waiting => _waiting.Count;

    /// <summary>Lets an entrant in if it may run now; otherwise it waits.</summary>
    /// <param name="entrant">Who wants in.</param>
    /// <param name="isOpen">Whether the activation lets anyone in at all.</param>
    /// <param name="first">Whether it waits before the others.</param>
    public bool TryEnter(IGateEntrant entrant, bool isOpen, bool first = false)
    {
        // Who may run only alone must not be overtaken for ever by those that interleave with what runs.
        if (isOpen && (grainClass.IsReentrant || entrant.IsInterleaving || ((_waiting.Count == 0 || first) && MayRun(entrant))))
        {
            Add(entrant);
            return true;
        }

        if (first) _waiting.AddFirst(entrant);
        else _waiting.AddLast(entrant);
        return false;
    }

    /// <summary>An entrant that was let in has ended.</summary>
    public void Leave(IGateEntrant entrant)
    {
        Running--;
        if (entrant.IsReadOnly) _runningReadOnly--;
    }

    /// <summary>The next one that waits and may run now; it has entered.</summary>
    public IGateEntrant? Next()
    {
        if (_waiting.First is not { } node || !(grainClass.IsReentrant || node.Value.IsInterleaving || MayRun(node.Value))) return null;
        _waiting.RemoveFirst();
        Add(node.Value);
        return node.Value;
    }

    /// <summary>Takes out all that wait.</summary>
    public List<IGateEntrant> TakeWaiting()
    {
        var waiting = _waiting.ToList();
        _waiting.Clear();
        return waiting;
    }

    /// <summary>Takes out the requests that wait and that a condition holds of; the others keep their order.</summary>
    public List<Request> TakeWaiting(Func<Request, bool> condition)
    {
        var taken = _waiting.OfType<Request>().Where(condition).ToList();
        foreach (var request in taken) _waiting.Remove(request);
        return taken;
    }

    private bool MayRun(IGateEntrant entrant) => Running == 0 || (entrant.IsReadOnly && _runningReadOnly == Running);

    private void Add(IGateEntrant entrant)
    {
        Running++;
        if (entrant.IsReadOnly) _runningReadOnly++;
    }
}

/// <summary>What passes an activation's gate: a request, a transaction's later attempt, a timer's tick.</summary>
internal interface IGateEntrant
{
    /// <summary>May run whatever else runs.</summary>
    bool IsInterleaving { get; }

    /// <summary>May run with others of its kind.</summary>
    bool IsReadOnly { get; }

    /// <summary>Has entered; run.</summary>
    void Entered();
}
