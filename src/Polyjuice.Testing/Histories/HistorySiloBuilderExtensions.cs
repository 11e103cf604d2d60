using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans;

namespace Polyjuice.Testing;

/// <summary>Has silos tell a recorder what transactions see and write.</summary>
public static class HistorySiloBuilderExtensions
{
    /// <summary>
    /// Records the transactional states of a silo's grains. After <c>UsePolyjuice()</c>, or after Orleans' own <c>UseTransactions()</c>.
    /// All silos of the cluster must run in this process and have the same recorder, from its first transaction on.
    /// </summary>
    /// <param name="silo">The silo.</param>
    /// <param name="recorder">Who is told.</param>
    /// <exception cref="InvalidOperationException">The silo has no transactions.</exception>
    public static ISiloBuilder RecordHistory(this ISiloBuilder silo, HistoryRecorder recorder)
    {
        ArgumentNullException.ThrowIfNull(silo);
        ArgumentNullException.ThrowIfNull(recorder);
        var services = silo.Services;
        Decorate<ITransactionalStateFactory>(services, (inner, provider) => new RecordedStateFactory(inner, recorder, provider));
        if (services.Any(service => service.ServiceType == typeof(IPolyjuiceSilo))) services.AddSingleton<ITransactionObserver>(recorder);
        else Decorate<ITransactionAgent>(services, (inner, _) => new RecordedAgent(inner, recorder));
        return silo;
    }

    private static void Decorate<TService>(IServiceCollection services, Func<TService, IServiceProvider, TService> decorate)
        where TService : class
    {
        var inner = services.LastOrDefault(service => service.ServiceType == typeof(TService) && !service.IsKeyedService)
            ?? throw new InvalidOperationException($"The silo has no {typeof(TService).Name}: call UsePolyjuice() before RecordHistory().");
        services.Remove(inner);

        // Orleans' own state factory is made for each grain, as its registration says; so is what is around it.
        services.Add(ServiceDescriptor.Describe(typeof(TService), provider => decorate((TService)Make(inner, provider), provider), inner.Lifetime));
    }

    private static object Make(ServiceDescriptor service, IServiceProvider provider) =>
        service.ImplementationInstance ?? service.ImplementationFactory?.Invoke(provider)
        ?? ActivatorUtilities.CreateInstance(provider, service.ImplementationType!);
}
