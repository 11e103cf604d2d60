using Polyjuice.Orleans.Groups;

namespace Polyjuice.Lab.Clusters;

/// <summary>No class declares a group, whatever it says.</summary>
internal sealed class NoGroups : IGroupRules
{
    /// <inheritdoc/>
    public GroupRule? Of(Type grainClass) => null;
}
