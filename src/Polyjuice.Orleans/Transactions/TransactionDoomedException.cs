using Orleans;
using Orleans.Transactions;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// What an access or a call throws because other code of the transaction has thrown: no cause of the abort, but a
/// consequence. Callers see the cause, whichever of the two arrives first.
/// </summary>
[GenerateSerializer, Alias("Polyjuice.TransactionDoomedException")]
internal sealed class TransactionDoomedException(string transactionId)
    : OrleansTransactionAbortedException(
        transactionId, "The transaction is being aborted, because other code that it ran has thrown an exception.");
