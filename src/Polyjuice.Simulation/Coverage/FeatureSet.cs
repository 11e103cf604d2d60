using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;

namespace Polyjuice.Simulation.Coverage;

/// <summary>Which states of the protocol a run has reached, hashed into a bounded set. Not thread-safe.</summary>
/// <remarks>
/// AFL also counts how often, in buckets. Here nearly every run would reach something new then, and new would mean
/// nothing: 600 runs reached 7,300 features with counts and finer states, and 2,000 as they are.
/// </remarks>
internal sealed class FeatureSet
{
    /// <summary>So many features are told apart. Two that share a place count as one.</summary>
    public const int Places = 1 << 16;

    private readonly bool[] _isReached = new bool[Places];
    private readonly List<Feature> _reached = [];

    /// <summary>How many features were reached.</summary>
    public int Count => _reached.Count;

    /// <summary>Them, in the order in which they were reached first.</summary>
    internal IReadOnlyList<Feature> Reached => _reached;

    /// <summary>Whether a state was reached, or one that shares its place.</summary>
    internal bool Contains(ProtocolState state) => _isReached[PlaceOf(state)];

    /// <summary>A state was reached.</summary>
    /// <param name="state">Which.</param>
    /// <param name="step">At which step.</param>
    /// <param name="nth">Which one of its kind; 0 where no fault can be aimed at it.</param>
    internal void Reach(ProtocolState state, ProtocolStep step, int nth)
    {
        var place = PlaceOf(state);
        if (_isReached[place]) return;
        _isReached[place] = true;
        _reached.Add(new Feature(place, step, nth));
    }

    private static int PlaceOf(ProtocolState state) => (int)(SimulationRandom.Mix(state.Code) % Places);
}

/// <summary>A state of the protocol that a run has reached.</summary>
/// <param name="Place">Its number, below <see cref="FeatureSet.Places"/>.</param>
/// <param name="Step">The step at which that was first.</param>
/// <param name="Nth">Which one of its kind in the run; 0 where no fault can be aimed at it.</param>
internal readonly record struct Feature(int Place, ProtocolStep Step, int Nth);
