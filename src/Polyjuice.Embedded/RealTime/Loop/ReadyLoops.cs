using System.Diagnostics.CodeAnalysis;

namespace Polyjuice.Embedded.RealTime;

/// <summary>
/// The loops that wait for a worker, each at the <em>place</em> where it ran last: there is one for each processor, with a worker of its own. What a loop needs is in the caches of its processor, and another one's take microseconds to get it, the longer the farther apart the two are. So a loop
/// is left to its place unless it has waited there for long enough. At a place: first come, first served, but silos before clients, because what silos have begun is in others' way until it is done, and clients begin more. A client that has waited for long enough comes first all the same. Thread-safe.
/// </summary>
internal sealed class ReadyLoops
{
    /// <summary>For how long a silo's loop is left to its place by workers of other ones that have nothing to do, in microseconds: two or three batches.</summary>
    private const long Grace = 50;

    /// <summary>The same for a client's, in microseconds. It does not need much, and where it goes to whoever has nothing to do, silos stay where they are and all processors are busy.</summary>
    private const long GraceOfClients = 4;

    /// <summary>For how long a loop is left to its place by workers that have loops of their own to run, in microseconds.</summary>
    private const long GraceOfBusy = 200;

    /// <summary>Loops that a place takes of its own between two glances at the others.</summary>
    private const int TakesPerGlance = 8;

    private readonly Place[] _places;
    private readonly long _clientPatience;

    /// <param name="places">How many; at least 1.</param>
    /// <param name="clientPatience">How long a client's loop lets those of silos go first, in microseconds.</param>
    public ReadyLoops(int places, long clientPatience)
    {
        _places = [.. Enumerable.Range(0, places).Select(static _ => new Place())];
        _clientPatience = clientPatience;
    }

    /// <summary>Whether there is none.</summary>
    public bool IsEmpty
    {
        get
        {
            foreach (var place in _places)
            {
                if (!place.IsEmpty) return false;
            }

            return true;
        }
    }

    /// <summary>Puts one last among its kind, at its place.</summary>
    public void Add(RealTimeLoop loop) => _places[loop.Place].Add(loop);

    /// <summary>Takes the one whose turn it is at a place, or one that has waited for too long at another.</summary>
    public bool TryTake(int at, [NotNullWhen(true)] out RealTimeLoop? loop)
    {
        var own = _places[at];
        if (own.IsEmpty) return TryTakeOfOthers(at, Grace, GraceOfClients, out loop);
        if (own.TakesUntilGlance-- <= 0)
        {
            own.TakesUntilGlance = TakesPerGlance;
            if (TryTakeOfOthers(at, GraceOfBusy, GraceOfBusy, out loop)) return true;
        }

        return own.TryTake(_clientPatience, out loop);
    }

    /// <summary>For how long the one has waited that has waited longest, in microseconds.</summary>
    public long LongestWait(long now)
    {
        var since = now;
        foreach (var place in _places) since = Math.Min(since, Math.Min(place.Silos.Since, place.Clients.Since));
        return now - since;
    }

    private bool TryTakeOfOthers(int at, long graceOfSilos, long graceOfClients, [NotNullWhen(true)] out RealTimeLoop? loop)
    {
        for (var i = 1; i < _places.Length; i++)
        {
            var other = _places[(at + i) % _places.Length];
            if (other.IsEmpty) continue;
            var now = Clock.UtcMicroseconds;
            if (other.Silos.TryTake(now - graceOfSilos, out loop) || other.Clients.TryTake(now - graceOfClients, out loop)) return true;
        }

        loop = null;
        return false;
    }

    private sealed class Place
    {
        public readonly Line Silos = new();
        public readonly Line Clients = new();

        // A worker's own; that two of one place may count at once does not matter.
        public int TakesUntilGlance;

        public bool IsEmpty => Silos.Since == long.MaxValue && Clients.Since == long.MaxValue;

        public void Add(RealTimeLoop loop) => (loop.IsClient ? Clients : Silos).Add(loop);

        public bool TryTake(long clientPatience, [NotNullWhen(true)] out RealTimeLoop? loop)
        {
            var hasClients = Clients.Since != long.MaxValue;
            if (hasClients && Silos.Since != long.MaxValue && Clients.TryTake(Clock.UtcMicroseconds - clientPatience, out loop)) return true;
            return Silos.TryTake(long.MaxValue, out loop) || Clients.TryTake(long.MaxValue, out loop);
        }
    }

    /// <summary>First come, first served. Whether there is any, and since when, costs no more than a look: workers without work look all the time, and a concurrent queue that is looked into does not use its memory again.</summary>
    private sealed class Line
    {
        private readonly Lock _gate = new();
        private readonly Queue<RealTimeLoop> _loops = new();
        private long _since = long.MaxValue;

        /// <summary>Since when the first one waits; <see cref="long.MaxValue"/> if there is none.</summary>
        public long Since => Volatile.Read(ref _since);

        public void Add(RealTimeLoop loop)
        {
            lock (_gate)
            {
                _loops.Enqueue(loop);
                if (_loops.Count == 1) Volatile.Write(ref _since, loop.ReadySince);
            }
        }

        /// <summary>Takes the first one, if it waits since then or longer.</summary>
        public bool TryTake(long since, [NotNullWhen(true)] out RealTimeLoop? loop)
        {
            loop = null;
            var first = Since;
            if (first == long.MaxValue || first > since) return false;
            lock (_gate)
            {
                if (_since > since || !_loops.TryDequeue(out loop)) return false;
                Volatile.Write(ref _since, _loops.TryPeek(out var next) ? next.ReadySince : long.MaxValue);
                return true;
            }
        }
    }
}
