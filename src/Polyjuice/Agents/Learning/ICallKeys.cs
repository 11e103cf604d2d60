using Polyjuice.Contracts;

namespace Polyjuice.Agents;

/// <summary>
/// What the call that starts a transaction says of the grains that it is about: the grain that is called, and the keys
/// in its arguments. From those and from what dry runs find the engine learns what transactions of a type access
/// (<see cref="EngineOptions.LearnsAccessSets"/>).
/// </summary>
internal interface ICallKeys
{
    /// <summary>
    /// Those of one call. Called on the engine's turn, where a transaction is about to be run dry, or to reserve.
    /// </summary>
    /// <param name="body">The transaction's body, which knows its arguments.</param>
    /// <exception cref="Exception">The transaction fails with it.</exception>
    CallKeys Of(ITransactionBody body);
}
