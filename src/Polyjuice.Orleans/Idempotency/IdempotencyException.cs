using Orleans;
using Orleans.Transactions;

namespace Polyjuice.Orleans;

/// <summary>
/// A call with an idempotency key was refused. Nothing of it has happened, and making it again does not help.
/// </summary>
[GenerateSerializer, Alias("Polyjuice.IdempotencyException")]
public sealed class IdempotencyException : OrleansTransactionAbortedException
{
    /// <summary>Creates it.</summary>
    /// <param name="transactionId">The attempt's identity; empty if there was none.</param>
    /// <param name="failure">Why.</param>
    /// <param name="message">The same for people.</param>
    internal IdempotencyException(string transactionId, IdempotencyFailure failure, string message)
        : base(transactionId, message) => Failure = failure;

    /// <summary>Why.</summary>
    [Id(0)]
    public IdempotencyFailure Failure { get; private set; }
}

/// <summary>Why a call with an idempotency key was refused.</summary>
public enum IdempotencyFailure
{
    /// <summary>The key is empty, white space or too long (<see cref="IdempotencyKey.LengthMax"/>).</summary>
    BadKey,

    /// <summary>The grain has answered a call of another method with this key.</summary>
    OtherMethod,

    /// <summary>The grain has answered a call of the same method with this key that had other arguments.</summary>
    OtherArguments,

    /// <summary>
    /// The answer takes more bytes than may be kept
    /// (<see cref="global::Orleans.Configuration.PolyjuiceOptions.IdempotentAnswerBytes"/>).
    /// </summary>
    AnswerTooLarge,

    /// <summary>
    /// The silo keeps states with storage providers and has no logs but those in its memory: the key would be
    /// forgotten while the call's effects stay.
    /// </summary>
    NoLog,
}
