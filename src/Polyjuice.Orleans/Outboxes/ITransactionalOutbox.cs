namespace Polyjuice.Orleans;

/// <summary>
/// Sends messages when a transaction has committed, and only then. A message is recorded by the transaction that
/// enqueues it, in the same logs. After the commit it is handed to the sender of its name, at least once, until that
/// has taken it. A service of every silo; grains take it in their constructors. Thread-safe.
/// </summary>
public interface ITransactionalOutbox
{
    /// <summary>Adds a message to the ambient transaction. What is aborted sends nothing.</summary>
    /// <param name="sender">Which sender gets it: one that was added by <c>AddOutboxSender</c>.</param>
    /// <param name="content">What it gets: anything that Orleans' serialiser writes.</param>
    /// <typeparam name="T">The content's type.</typeparam>
    /// <exception cref="ArgumentException">
    /// The silo has no such sender, or the content takes more than
    /// <see cref="global::Orleans.Configuration.OutboxOptions.MessageBytes"/>.
    /// </exception>
    /// <exception cref="global::Orleans.Transactions.OrleansTransactionException">
    /// There is no transaction of a grain.
    /// </exception>
    /// <exception cref="OutboxFullException">Too much waits to be sent already.</exception>
    Task EnqueueAsync<T>(string sender, T content) where T : notnull;
}
