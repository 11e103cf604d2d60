using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Hosting;
using Orleans.Providers;
using Orleans.Runtime;
using Orleans.Storage;

namespace Polyjuice.Training.Cluster.Applications;

/// <summary>
/// Storage for what grains keep besides transactional states (<see cref="PersistentStateAttribute"/>,
/// <see cref="Grain{TGrainState}"/>): without it they could not be activated, and it takes no part in transactions.
/// </summary>
internal static class GrainStorages
{
    private const string Default = "Default";

    /// <summary>Keeps in memory what grains name a storage for that the silo has not.</summary>
    /// <param name="silo">The silo, with all that the application adds.</param>
    /// <param name="assemblies">The application's.</param>
    public static void AddMissing(ISiloBuilder silo, IReadOnlyList<Assembly> assemblies)
    {
        foreach (var name in NamesIn(assemblies).Where(name => !IsThere(silo.Services, name)))
            silo.AddMemoryGrainStorage(name);
    }

    /// <summary>The storages that grains name.</summary>
    /// <param name="assemblies">Where the grains are.</param>
    public static IReadOnlyCollection<string> NamesIn(IReadOnlyList<Assembly> assemblies)
    {
        var names = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var type in assemblies.SelectMany(TypesOf).Where(IsGrain))
        {
            var attributes = type.GetConstructors().SelectMany(static constructor => constructor.GetParameters())
                .Select(static parameter => parameter.GetCustomAttribute<PersistentStateAttribute>())
                .OfType<PersistentStateAttribute>();
            foreach (var attribute in attributes) names.Add(attribute.StorageName ?? Default);
            if (HasState(type)) names.Add(type.GetCustomAttribute<StorageProviderAttribute>()?.ProviderName ?? Default);
        }

        return names;
    }

    private static bool IsThere(IServiceCollection services, string name) =>
        services.Any(
            service => service.IsKeyedService && service.ServiceType == typeof(IGrainStorage)
                && name.Equals(service.ServiceKey));

    private static bool IsGrain(Type type) =>
        type is { IsClass: true, IsAbstract: false } && typeof(IGrain).IsAssignableFrom(type);

    private static bool HasState(Type type)
    {
        for (var above = type.BaseType; above is not null; above = above.BaseType)
        {
            if (above.IsGenericType && above.GetGenericTypeDefinition() == typeof(Grain<>)) return true;
        }

        return false;
    }

    // A type whose dependencies are missing is none that a silo can activate.
    private static IEnumerable<Type> TypesOf(Assembly assembly)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException exception)
        {
            return exception.Types.OfType<Type>();
        }
    }
}
