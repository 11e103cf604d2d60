using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Runtime.Placement;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Finds out which grain classes have transactional states, and sees
/// to it that they are placed by partition whatever else they ask for.
/// </summary>
internal sealed class PartitionPlacementResolver : IPlacementStrategyResolver, IGrainPropertiesProvider
{
    /// <summary>
    /// Whether a grain class asks for a transactional state or committer in a constructor, or for what makes them.
    /// </summary>
    public static bool IsTransactional(Type grainClass) =>
        grainClass.GetConstructors(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance)
            .SelectMany(constructor => constructor.GetParameters())
            .Any(
                parameter => MakesStates(parameter.ParameterType)
                    || parameter.GetCustomAttributes(inherit: true)
                        .Any(attribute => attribute is ITransactionalStateConfiguration));

    /// <summary>The types of the transactional states that a grain class asks for.</summary>
    public static IEnumerable<Type> StatesOf(Type grainClass) =>
        grainClass.GetConstructors(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance)
            .SelectMany(constructor => constructor.GetParameters())
            .Where(
                parameter => parameter.ParameterType is { IsGenericType: true } type
                    && type.GetGenericTypeDefinition() == typeof(ITransactionalState<>))
            .Select(parameter => parameter.ParameterType.GetGenericArguments()[0]);

    /// <summary>
    /// The transactional states and committers that a grain class
    /// asks for by attributes, with the storage that each names.
    /// </summary>
    public static IEnumerable<(string State, string? Storage)> StoragesOf(Type grainClass)
    {
        var parameters = grainClass.GetConstructors(
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance)
            .SelectMany(constructor => constructor.GetParameters());
        foreach (var attribute in parameters.SelectMany(parameter => parameter.GetCustomAttributes(inherit: true)))
        {
            if (attribute is ITransactionalStateConfiguration state) yield return (state.StateName, state.StorageName);
            else if (attribute is ITransactionCommitterConfiguration committer)
                yield return (committer.ServiceName, committer.StorageName);
        }
    }

    /// <inheritdoc/>
    public void Populate(Type grainClass, GrainType grainType, Dictionary<string, string> properties)
    {
        if (IsTransactional(grainClass)) properties[PartitionPlacement.Property] = "true";
    }

    /// <inheritdoc/>
    public bool TryResolvePlacementStrategy(
        GrainType grainType, GrainProperties? properties, [MaybeNullWhen(false)] out PlacementStrategy result)
    {
        result = properties is not null && PartitionPlacement.IsOf(properties)
            ? PartitionPlacement.Shared
            : null;
        return result is not null;
    }

    private static bool MakesStates(Type type) =>
        type == typeof(ITransactionalStateFactory)
        || type == typeof(ITransactionCommitterFactory)
        || (type.IsGenericType
            && (type.GetGenericTypeDefinition() == typeof(ITransactionalState<>)
                || type.GetGenericTypeDefinition() == typeof(ITransactionCommitter<>)));
}
