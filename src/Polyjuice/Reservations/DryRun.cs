using Polyjuice.Versions;

namespace Polyjuice.Reservations;

/// <summary>
/// What one node keeps of a dry run: what was accessed, and the scratch copies that its updates made here. Nobody else
/// ever sees them, and they are dropped when the run ends, when its agent is dead or past it, or when its time is up.
/// </summary>
internal sealed class DryRun
{
    private readonly Dictionary<Participant, object> _scratch = [];

    public AccessSet Accesses { get; } = new();

    /// <summary>At the agent's node, once it is over: whether the body came to its end.</summary>
    public bool IsWhole { get; set; }

    /// <summary>Scratch copies here; for tests.</summary>
    public int Copies => _scratch.Count;

    /// <summary>What the run itself has made of a state, or <see langword="null"/>.</summary>
    public object? ScratchOf(Participant participant) => _scratch.GetValueOrDefault(participant);

    public void Keep(Participant participant, object value) => _scratch[participant] = value;

    public void Drop() => _scratch.Clear();
}
