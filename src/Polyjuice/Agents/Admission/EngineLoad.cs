namespace Polyjuice.Agents;

/// <summary>How much of what is under way at an engine stands still; to bound what is let in.</summary>
/// <param name="Held">Attempts that may not start yet, because their kind abort each other.</param>
/// <param name="Waits">
/// Waits of transactions for one another at this node, but for those for reservations: these are in an order, and
/// nobody aborts another one by waiting longer.
/// </param>
/// <param name="Known">
/// Transactions that have accessed anything at this node, or that it runs, and that are not over.
/// </param>
internal readonly record struct EngineLoad(int Held, int Waits, int Known);
