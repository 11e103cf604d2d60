using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.States;

/// <summary>Makes the committers that grains ask for in their constructors.</summary>
internal sealed class TransactionCommitterFactory(
    TransactionalStateFactory states, IGrainContextAccessor accessor) : ITransactionCommitterFactory
{
    /// <inheritdoc/>
    public ITransactionCommitter<TService> Create<TService>(
        ITransactionCommitterConfiguration config) where TService : class
    {
        ArgumentNullException.ThrowIfNull(config);
        return new TransactionCommitter<TService>(
            states.Create<global::Orleans.Transactions.TransactionCommitter<TService>.OperationState>(
                config.ServiceName, config.StorageName),
            accessor.GrainContext,
            config.ServiceName);
    }
}
