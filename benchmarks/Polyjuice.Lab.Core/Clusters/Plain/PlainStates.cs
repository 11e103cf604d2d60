using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Orleans.Hosting;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Lab.Clusters;

/// <summary>
/// Runs transactional grain code without transactions: states are objects in their grains' memory, and the agent agrees
/// to everything. There is no isolation, no atomicity and no durability. What such a cluster makes is a bound on what
/// any transactions of the same calls could make: calls, their requests and the grain code are the same.
/// </summary>
public static class PlainStates
{
    /// <summary>Sets a silo up so.</summary>
    public static ISiloBuilder UsePlainStates(this ISiloBuilder silo)
    {
        ArgumentNullException.ThrowIfNull(silo);
        silo.UseTransactions();
        silo.Services.Replace(ServiceDescriptor.Singleton<ITransactionAgent, PlainAgent>());
        silo.Services.Replace(ServiceDescriptor.Singleton<ITransactionalStateFactory, PlainStateFactory>());
        return silo;
    }
}
