namespace Polyjuice.Embedded.Core;

/// <summary>A node's calls whose callers wait: found by number, and walked for time-outs and dead silos. Loop only.</summary>
internal sealed class PendingCalls
{
    private readonly Dictionary<long, PendingCall> _remote = [];
    private PendingCall? _first;
    private long _last;

    public bool IsEmpty => _first is null;

    /// <summary>Adds a call that a message will answer, and numbers it.</summary>
    public void AddRemote(PendingCall call)
    {
        call.Correlation = ++_last;
        _remote.Add(call.Correlation, call);
        Link(call);
    }

    /// <summary>Adds a call within the node.</summary>
    public void AddLocal(PendingCall call) => Link(call);

    /// <summary>Adds a call that waits for its partition to be served; it is added once more when it goes, or is parked again.</summary>
    public void AddParked(PendingCall call) => Link(call);

    public PendingCall? Find(long correlation) => _remote.GetValueOrDefault(correlation);

    public void Remove(PendingCall call)
    {
        if (call.Correlation != 0) _remote.Remove(call.Correlation);
        Unlink(call);
    }

    /// <summary>The calls that satisfy a condition, as a list, because to complete one changes this.</summary>
    public List<PendingCall> Where(Func<PendingCall, bool> condition)
    {
        var found = new List<PendingCall>();
        for (var call = _first; call is not null; call = call.Next)
        {
            if (condition(call)) found.Add(call);
        }

        return found;
    }

    // Also of a call that is in no list.
    private void Unlink(PendingCall call)
    {
        if (call.Previous is not null) call.Previous.Next = call.Next;
        else if (ReferenceEquals(_first, call)) _first = call.Next;
        if (call.Next is not null) call.Next.Previous = call.Previous;
        call.Previous = call.Next = null;
    }

    // A call may be in the list already.
    private void Link(PendingCall call)
    {
        Unlink(call);
        call.Next = _first;
        if (_first is not null) _first.Previous = call;
        _first = call;
    }
}
