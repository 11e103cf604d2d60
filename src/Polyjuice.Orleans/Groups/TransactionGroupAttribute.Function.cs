using Orleans.Runtime;
using Polyjuice.Orleans.Groups;

namespace Polyjuice;

/// <summary>
/// Declares the group of a grain class's grains as <see cref="TransactionGroupAttribute"/> does, with a function that
/// says which of the name's groups a grain is of.
/// </summary>
/// <typeparam name="TGroup">
/// The function. Its full name is part of the declaration: give it another one if its answers change.
/// </typeparam>
/// <param name="name">As for <see cref="TransactionGroupAttribute"/>.</param>
[AttributeUsage(AttributeTargets.Class)]
public sealed class TransactionGroupAttribute<TGroup>(string name) : Attribute, IGroupFunction
    where TGroup : ITransactionGroup
{
    /// <summary>The group's name.</summary>
    public string Name { get; } = name;

    Type IGroupFunction.Type => typeof(TGroup);

    string? IGroupFunction.Of(GrainId grain) => TGroup.GroupOf(grain);
}
