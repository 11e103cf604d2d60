namespace Polyjuice.Orleans.Groups;

/// <summary>Says what grain classes declare of their groups. Thread-safe.</summary>
internal interface IGroupRules
{
    /// <summary>What a class declares; <see langword="null"/> if that is nothing.</summary>
    /// <exception cref="global::Orleans.Runtime.OrleansConfigurationException">It can't be right.</exception>
    GroupRule? Of(Type grainClass);
}

/// <summary>By their attributes.</summary>
internal sealed class DeclaredGroupRules : IGroupRules
{
    /// <inheritdoc/>
    public GroupRule? Of(Type grainClass) => GroupRule.Of(grainClass);
}
