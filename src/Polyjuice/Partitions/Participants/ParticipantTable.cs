using Polyjuice.Contracts;
using Polyjuice.Versions;

namespace Polyjuice.Partitions;

/// <summary>The transactional states of a partition that its owner holds versions of. On its engine's turn.</summary>
internal sealed class ParticipantTable(OwnerParts shared, PartitionOwner owner)
{
    private readonly Dictionary<ParticipantKey, Participant> _participants = [];
    private Dictionary<Type, SpareVersions>? _spares;
    private List<Participant>? _watched;

    /// <summary>In no order.</summary>
    public IEnumerable<Participant> All => _participants.Values;

    /// <summary>Those of the grain class that the host watches.</summary>
    public IReadOnlyList<Participant> Watched => _watched ?? [];

    /// <summary>The participant; its first use makes it.</summary>
    public Participant Get(ParticipantKey key)
    {
        if (_participants.TryGetValue(key, out var participant)) return participant;
        _participants.Add(key, participant = new Participant(owner, key));
        if (key.GrainClass == shared.WatchedStates.WatchedClass) Watch(participant);
        return participant;
    }

    /// <summary>The same, if there is one.</summary>
    public Participant? Find(ParticipantKey key) => _participants.GetValueOrDefault(key);

    /// <summary>Versions to use again for states of a type: a version's content may be filled anew.</summary>
    public SpareVersions SparesOf(StateAdapter? adapter)
    {
        var type = adapter?.StateType ?? typeof(object);
        var known = _spares ??= [];
        if (!known.TryGetValue(type, out var spares)) known.Add(type, spares = new SpareVersions());
        return spares;
    }

    private void Watch(Participant participant)
    {
        (_watched ??= []).Add(participant);
        shared.WatchedStates.NoteWatched();
    }
}
