using Orleans;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Clients;

/// <summary>Transactions that a client of the cluster runs. Its delegate may run more than once. Thread-safe.</summary>
internal sealed class ClientTransactions(IGrainFactory grains) : TransactionClientBase
{
    /// <inheritdoc/>
    public override Task RunTransaction(TransactionOption transactionOption, Func<Task<bool>> transactionDelegate, bool useExclusiveLock)
    {
        ArgumentNullException.ThrowIfNull(transactionDelegate);
        var ambient = ClientScope.Current;
        return transactionOption switch
        {
            TransactionOption.Create => RunAsync(transactionDelegate, useExclusiveLock),
            TransactionOption.CreateOrJoin when ambient is null => RunAsync(transactionDelegate, useExclusiveLock),
            TransactionOption.Join when ambient is null => throw new NotSupportedException("Delegate cannot be executed outside of a transaction."),
            TransactionOption.Suppress or TransactionOption.NotAllowed when ambient is not null => throw new NotSupportedException("Delegate cannot be executed within a transaction."),
            TransactionOption.CreateOrJoin or TransactionOption.Join or TransactionOption.Supported when ambient is not null => JoinAsync(ambient, transactionDelegate),
            TransactionOption.Supported or TransactionOption.Suppress or TransactionOption.NotAllowed => transactionDelegate(),
            _ => throw new ArgumentOutOfRangeException(nameof(transactionOption), transactionOption, "There is no such option."),
        };
    }

    private static async Task JoinAsync(ClientScope ambient, Func<Task<bool>> transactionDelegate)
    {
        if (!await transactionDelegate()) ambient.IsDeclined = true;
    }

    private async Task RunAsync(Func<Task<bool>> transactionDelegate, bool useExclusiveLock)
    {
        var outer = ClientScope.Current;
        var transaction = grains.GetGrain<IClientTransactionGrain>(Guid.NewGuid());
        for (var attempt = await transaction.Start(TransactionClient.Unnamed, useExclusiveLock); attempt != 0;)
        {
            var scope = ClientScope.Current = new ClientScope(transaction, attempt);
            var commits = false;
            Exception? failure = null;
            try
            {
                commits = await transactionDelegate();
            }
            catch (Exception exception)
            {
                failure = exception;
            }

            ClientScope.Current = outer;
            attempt = await transaction.End(attempt, commits && !scope.IsDeclined, failure);
        }
    }
}
