using Polyjuice.Contracts;
using Polyjuice.Policies;

namespace Polyjuice.Versions;

/// <summary>
/// At which participants transactions meet each other most, while somebody asks. Counts conflicts in a bounded number
/// of places by the Space-Saving algorithm (Metwally, Agrawal, El Abbadi, "Efficient computation of frequent and top-k
/// elements in data streams", ICDT 2005): who comes when all are taken gets the least one's place and count, so that
/// what is frequent is never missing, and the counts of the others are too high by no more than that. Counts are halved
/// each second. Turn only, but for <see cref="Ask"/> and <see cref="Latest"/>.
/// </summary>
/// <param name="node">The engine's node.</param>
internal sealed class ConflictWatch(NodeId node) : IConflictWatch
{
    /// <summary>Places, and so what it costs to find one's own.</summary>
    public const int Max = 64;

    /// <summary>Counts are halved, and what they say is published, this often, in microseconds.</summary>
    public const long Interval = 1_000_000;

    /// <summary>Who has not asked for so long does not want to know any more, in microseconds.</summary>
    public const long Lasting = 10_000_000;

    // Made when somebody asks for the first time.
    private Participant?[] _participants = [];
    private double[] _conflicts = [];
    private double[] _accesses = [];
    private int _count;
    private int _asked;
    private long _askedAt;
    private long _publishedAt;
    private long _number;
    private ConflictReport? _latest;

    /// <summary>The engine's node.</summary>
    public NodeId Node => node;

    /// <summary>Whether anybody asks; on the engine's turn.</summary>
    public bool IsOn { get; private set; }

    /// <summary>What was published last; <see langword="null"/> while nobody asks. From any thread.</summary>
    public ConflictReport? Latest => Volatile.Read(ref _latest);

    /// <summary>
    /// Asks for reports, for the next ten seconds in which the engine does something. From any thread.
    /// </summary>
    public void Ask() => Volatile.Write(ref _asked, 1);

    /// <summary>A transaction is about to access a participant.</summary>
    public void Accessed(Participant participant, LocalTransaction transaction, AccessKind kind)
    {
        var place = Array.IndexOf(_participants, participant, 0, _count);
        if (!participant.MeetsConflict(transaction, kind))
        {
            if (place >= 0) _accesses[place]++;
            return;
        }

        if (place < 0) place = Take(participant);
        _accesses[place]++;
        _conflicts[place]++;
    }

    /// <summary>Publishes when it is time, and ends when nobody asks any more.</summary>
    public void Tick(long now)
    {
        if (Volatile.Read(ref _asked) != 0)
        {
            Volatile.Write(ref _asked, 0);
            _askedAt = now;
            if (!IsOn)
            {
                IsOn = true;
                _publishedAt = now;
                if (_participants.Length == 0)
                    (_participants, _conflicts, _accesses) = (new Participant?[Max], new double[Max], new double[Max]);
            }
        }

        if (!IsOn) return;
        if (now - _askedAt >= Lasting)
        {
            IsOn = false;
            Clear(0);
            Volatile.Write(ref _latest, null);
        }
        else if (now - _publishedAt >= Interval)
        {
            Publish((now - _publishedAt) / 1e6);
            _publishedAt = now;
        }
    }

    private int Take(Participant participant)
    {
        var place = _count < Max ? _count++ : Array.IndexOf(_conflicts, _conflicts.Min());

        // The count of whom it takes the place of is kept, and taken for accesses that conflicted.
        _accesses[place] = _conflicts[place];
        _participants[place] = participant;
        return place;
    }

    /// <summary>The halved counts of a constant rate come to twice what comes in between two halvings.</summary>
    private void Publish(double seconds)
    {
        var grains = new List<HotGrain>(_count);
        var kept = 0;
        for (var i = 0; i < _count; i++)
        {
            var participant = _participants[i]!;
            grains.Add(
                new HotGrain(
                    participant.Key.Grain,
                    participant.Key.State,
                    _conflicts[i] / 2 / seconds,
                    Math.Min(1, _conflicts[i] / _accesses[i])));
            if (_conflicts[i] < 2 || !participant.Partition.IsActive) continue;
            (_participants[kept], _conflicts[kept], _accesses[kept]) =
                (participant, _conflicts[i] / 2, _accesses[i] / 2);
            kept++;
        }

        Clear(kept);
        grains.Sort(static (one, other) => other.ConflictsPerSecond.CompareTo(one.ConflictsPerSecond));
        Volatile.Write(ref _latest, new ConflictReport(++_number, grains));
    }

    private void Clear(int from)
    {
        Array.Clear(_participants, from, Max - from);
        Array.Clear(_conflicts, from, Max - from);
        Array.Clear(_accesses, from, Max - from);
        _count = from;
    }
}
