namespace Polyjuice.Orleans.Calls;

/// <summary>
/// A transaction's delegate has returned false: the transaction must not commit, and that is no failure.
/// </summary>
internal sealed class DeclinedException() : Exception("The transaction's delegate returned false.");
