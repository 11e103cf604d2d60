using Polyjuice.Contracts;

namespace Polyjuice.Agents;

/// <summary>What a transaction is going to access, asked for only where its policy reserves that.</summary>
internal interface IDeclaredAccessSet
{
    /// <summary>
    /// The accesses of one transaction. Called on the engine's turn, once for each time that it is planned.
    /// </summary>
    /// <param name="body">The transaction's body, which knows its arguments.</param>
    /// <exception cref="Exception">The transaction fails with it.</exception>
    IReadOnlyList<DeclaredAccess> Of(ITransactionBody body);
}
