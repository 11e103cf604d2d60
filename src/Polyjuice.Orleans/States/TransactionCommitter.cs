using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.States;

/// <summary>
/// Calls a service when everything else of a transaction is ready to commit; the service may still refuse. On its
/// grain's turn. Its state is of Orleans' own class, so that rows of it are the same for both engines.
/// </summary>
internal sealed class TransactionCommitter<TService>(
    TransactionalState<global::Orleans.Transactions.TransactionCommitter<TService>.OperationState> state,
    IGrainContext grain, string serviceName)
    : ITransactionCommitter<TService> where TService : class
{
    // Found now, so that a service that nobody has added is an error when the grain is made.
    private readonly TService _service = grain.ActivationServices.GetRequiredKeyedService<TService>(serviceName);

    /// <inheritdoc/>
    public async Task OnCommit(ITransactionCommitOperation<TService> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        await state.PerformUpdate(current =>
        {
            current.Operation = operation;
            return true;
        });
        state.DecideBy(id => Task.Run(() => operation.Commit(TransactionAgent.GuidOf(id), _service)));
    }
}
