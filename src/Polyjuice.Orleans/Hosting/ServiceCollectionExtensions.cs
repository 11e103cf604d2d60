using Microsoft.Extensions.DependencyInjection;
using Orleans.GrainReferences;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Serialization.Configuration;
using Orleans.Serialization.Serializers;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Hosting;

/// <summary>What silos and clients register alike.</summary>
internal static class ServiceCollectionExtensions
{
    /// <summary>Takes the calls of transactional methods over.</summary>
    /// <typeparam name="TEnds">What happens to them.</typeparam>
    public static void AddTransactionCalls<TEnds>(this IServiceCollection services) where TEnds : class, ICallEnds
    {
        services.AddSingleton<ICallEnds, TEnds>();
        services.AddSingleton<TransactionFailures>();
        services.AddSingleton<TransactionCalls>();
        services.AddSingleton<CallCodecs>();
        services.AddSingleton<ISpecializableCodec>(provider => provider.GetRequiredService<CallCodecs>());
        services.Configure<TypeManifestOptions>(
            static options => options.WellKnownTypeAliases[CallCodec.Alias] = typeof(TransactionCall));
        services.AddSingleton<CallForms>();
        services.AddSingleton<CallServices>();

        // The first is asked first.
        services.Insert(0, ServiceDescriptor.Singleton<IGrainInterfaceTypeProvider, InterfaceNames>());
        for (var i = 0; i < services.Count; i++)
        {
            if (services[i] is not { IsKeyedService: false } maker
                || maker.ServiceType != typeof(IGrainReferenceActivatorProvider))
                continue;
            services[i] = ServiceDescriptor.Singleton<IGrainReferenceActivatorProvider>(
                provider => new ReferenceMakers(
                    MakeFor(provider), MakeFor(provider.GetRequiredService<CallServices>())));

            IGrainReferenceActivatorProvider MakeFor(IServiceProvider provider) =>
                (IGrainReferenceActivatorProvider)Make(maker, provider);
        }
    }

    /// <summary>Whether such a service is registered, without a key.</summary>
    public static bool Has<TService>(this IServiceCollection services) =>
        services.Any(service => service.ServiceType == typeof(TService) && !service.IsKeyedService);

    /// <summary>
    /// Puts a service around the one that is registered, however that is. It is made as often as that one: Orleans
    /// makes its own state factory for each grain.
    /// </summary>
    public static void Decorate<TService>(
        this IServiceCollection services, Func<TService, IServiceProvider, TService> decorate) where TService : class
    {
        var inner = services.Last(service => service.ServiceType == typeof(TService) && !service.IsKeyedService);
        services.Remove(inner);
        services.Add(ServiceDescriptor.Describe(
            typeof(TService), provider => decorate((TService)Make(inner, provider), provider), inner.Lifetime));
    }

    private static object Make(ServiceDescriptor service, IServiceProvider provider) =>
        service.ImplementationInstance
            ?? service.ImplementationFactory?.Invoke(provider)
                ?? ActivatorUtilities.CreateInstance(provider, service.ImplementationType!);
}
