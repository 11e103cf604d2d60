namespace Polyjuice.Contracts;

/// <summary>
/// What a grain's code may ask of the call that it runs in, by <see cref="TransactionContext"/>. Thread-safe.
/// </summary>
internal interface IAmbientCall
{
    /// <inheritdoc cref="TransactionContext.IsReconnaissance"/>
    bool IsReconnaissance { get; }
}
