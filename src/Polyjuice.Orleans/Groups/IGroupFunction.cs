using Orleans.Runtime;

namespace Polyjuice.Orleans.Groups;

/// <summary>A declaration by a function.</summary>
internal interface IGroupFunction
{
    /// <summary>The group's name.</summary>
    string Name { get; }

    /// <summary>Where the function is.</summary>
    Type Type { get; }

    /// <summary>What it says of a grain; may throw.</summary>
    string? Of(GrainId grain);
}
