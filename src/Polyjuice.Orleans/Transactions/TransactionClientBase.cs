using Orleans;

namespace Polyjuice.Orleans.Transactions;

/// <summary>The overloads of Orleans' transaction client, which all come down to one.</summary>
internal abstract class TransactionClientBase : ITransactionClient
{
    /// <inheritdoc/>
    public Task RunTransaction(TransactionOption transactionOption, Func<Task> transactionDelegate) =>
        RunTransaction(transactionOption, transactionDelegate, false);

    /// <inheritdoc/>
    public Task RunTransaction(TransactionOption transactionOption, Func<Task<bool>> transactionDelegate) =>
        RunTransaction(transactionOption, transactionDelegate, false);

    /// <inheritdoc/>
    public Task RunTransaction(
        TransactionOption transactionOption, Func<Task> transactionDelegate, bool useExclusiveLock)
    {
        ArgumentNullException.ThrowIfNull(transactionDelegate);
        return RunTransaction(
            transactionOption,
            async () =>
            {
                await transactionDelegate();
                return true;
            },
            useExclusiveLock);
    }

    /// <inheritdoc/>
    public abstract Task RunTransaction(
        TransactionOption transactionOption, Func<Task<bool>> transactionDelegate, bool useExclusiveLock);
}
