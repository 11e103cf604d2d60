namespace Orleans;

/// <summary>Runs transactions from code that is not a grain method. The delegates may run more than once. Thread-safe.</summary>
public interface ITransactionClient
{
    /// <summary>Runs a delegate in a transaction; it commits unless the delegate throws.</summary>
    /// <exception cref="NotSupportedException">The option does not fit the transaction, or its lack, that is ambient.</exception>
    /// <exception cref="Transactions.OrleansTransactionException">It did not commit.</exception>
    Task RunTransaction(TransactionOption transactionOption, Func<Task> transactionDelegate);

    /// <summary>Runs a delegate in a transaction; it commits if the delegate returns true, and is silently aborted when it returns false.</summary>
    /// <inheritdoc cref="RunTransaction(TransactionOption, Func{Task})"/>
    Task RunTransaction(TransactionOption transactionOption, Func<Task<bool>> transactionDelegate);
}
