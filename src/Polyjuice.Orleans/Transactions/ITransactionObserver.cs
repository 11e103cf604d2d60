namespace Polyjuice.Orleans;

/// <summary>
/// Is told of every transaction that a silo starts, if it is registered as a service there. For test tools that record
/// what transactions saw; a silo without one pays nothing. Implementations are thread-safe, quick, and do not throw:
/// what they throw takes the place of the transaction.
/// </summary>
internal interface ITransactionObserver
{
    /// <summary>A transaction begins; none of its code has run.</summary>
    /// <param name="transactionType">Its type: the root grain method, or the name that a client gave it.</param>
    /// <returns>Who is told the rest.</returns>
    ITransactionObservation Begin(string transactionType);
}

/// <summary>
/// Is told what becomes of one transaction. Its members are called one after the other, on any thread.
/// </summary>
internal interface ITransactionObservation
{
    /// <summary>
    /// The transaction's code is about to run: the first time, again after an abort that was not its fault, or again
    /// because a part of what it had done stands and the rest does not. The run before has ended. Dry runs are not told
    /// of.
    /// </summary>
    /// <param name="transactionId">
    /// The attempt's identity, which is <c>TransactionInfo.TransactionId</c> in all code that the run reaches, on other
    /// silos too. The same as the run before where that one is continued; else what that one wrote is dropped.
    /// </param>
    void RunBegins(Guid transactionId);

    /// <summary>
    /// The outcome is known on this silo, and its caller is about to be told. Last; never if the silo ends before.
    /// </summary>
    /// <param name="failure">
    /// <see langword="null"/> if the last run is committed and durable. An <c>OrleansTransactionAbortedException</c> if
    /// no run has had or will have an effect. Anything else if nobody knows about the last run; runs of earlier
    /// attempts had none.
    /// </param>
    void Ended(Exception? failure);
}
