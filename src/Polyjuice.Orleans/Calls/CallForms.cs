using Orleans.Metadata;
using Orleans.Runtime;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Where silos look for what goes along with a call: in the call itself, or, of version 0.1.0, in its request context.
/// As long as there is such a silo, as in a rolling update, all calls take it along there. Thread-safe.
/// </summary>
internal sealed class CallForms(IClusterManifestProvider manifests)
{
    private Answer? _last;

    /// <summary>Whether all silos of the cluster look in the call.</summary>
    public bool AreNew
    {
        get
        {
            var current = manifests.Current;
            if (_last is not { } known || !ReferenceEquals(known.Of, current))
                _last = known = new(current, !current.Silos.Values.Any(EngineGuard.IsOfOneEngine));
            return known.AreNew;
        }
    }

    private sealed record Answer(ClusterManifest Of, bool AreNew);
}
