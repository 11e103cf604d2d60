namespace Polyjuice.Embedded.Serialization;

/// <summary>
/// Gives a set or dictionary that was read from the log the comparer of the one that the state's constructor made in its
/// place: JSON has no comparers, and a state must not behave differently after a restart.
/// </summary>
internal static class KeptComparer
{
    /// <summary>Makes the value to set of what the constructor made and what was read; null where there is nothing to keep.</summary>
    public static Func<TMember, TMember, TMember>? For<TMember>()
    {
        var type = typeof(TMember);
        if (!type.IsGenericType) return null;
        var keeper = type.GetGenericTypeDefinition() switch
        {
            var d when d == typeof(Dictionary<,>) => typeof(OfDictionary<,>),
            var d when d == typeof(HashSet<>) => typeof(OfSet<>),
            _ => null,
        };
        return keeper is null ? null : ((IKeeper<TMember>)Activator.CreateInstance(keeper.MakeGenericType(type.GetGenericArguments()))!).Keep;
    }

    private interface IKeeper<TMember>
    {
        TMember Keep(TMember made, TMember read);
    }

    private sealed class OfDictionary<TKey, TValue> : IKeeper<Dictionary<TKey, TValue>>
        where TKey : notnull
    {
        public Dictionary<TKey, TValue> Keep(Dictionary<TKey, TValue> made, Dictionary<TKey, TValue> read) =>
            made is null || read is null || Comparers.IsDefault(made.Comparer) ? read! : new(read, made.Comparer);
    }

    private sealed class OfSet<T> : IKeeper<HashSet<T>>
    {
        public HashSet<T> Keep(HashSet<T> made, HashSet<T> read) =>
            made is null || read is null || Comparers.IsDefault(made.Comparer) ? read! : new(read, made.Comparer);
    }
}
