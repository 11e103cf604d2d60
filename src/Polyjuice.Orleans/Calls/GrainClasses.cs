using System.Collections.Concurrent;
using Orleans.Concurrency;

namespace Polyjuice.Orleans.Calls;

/// <summary>What this host asks of grain classes. Thread-safe.</summary>
internal static class GrainClasses
{
    private static readonly ConcurrentDictionary<Type, bool> s_reentrant = new();

    /// <summary>Whether a call that waits in such a grain lets others in; not if the class is unknown.</summary>
    public static bool IsReentrant(Type? grainClass) =>
        grainClass is not null
            && s_reentrant.GetOrAdd(
                grainClass, static type => type.IsDefined(typeof(ReentrantAttribute), inherit: true));
}
