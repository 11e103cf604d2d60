using Polyjuice.Diagnostics;

namespace Polyjuice.LiveView.Policies;

/// <summary>
/// When this process's policies came into force, and why. The engine has no calendar, so it is the time at which they
/// were first seen, a second late at the most. Thread-safe.
/// </summary>
internal sealed class PolicyDates(IEngineInspection inspection, TimeProvider time)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<int, DateTimeOffset> _since = [];
    private readonly Dictionary<int, string> _notes = [];

    /// <summary>Notes the time of what has come into force, and forgets what is not in the history any more.</summary>
    public void Look()
    {
        var known = inspection.Policies;
        lock (_gate)
        {
            foreach (var policy in known) _since.TryAdd(policy.Version, time.GetUtcNow());
            foreach (var version in _since.Keys.Where(version => version < known[0].Version).ToArray())
            {
                _since.Remove(version);
                _notes.Remove(version);
            }
        }
    }

    /// <summary>Says why a version is in force.</summary>
    public void Note(int version, string note)
    {
        lock (_gate) _notes[version] = note;
    }

    /// <summary>What is known of a version.</summary>
    public (DateTimeOffset? Since, string Note) Of(int version)
    {
        lock (_gate)
            return (_since.TryGetValue(version, out var since) ? since : null, _notes.GetValueOrDefault(version, ""));
    }
}
