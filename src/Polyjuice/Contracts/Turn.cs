namespace Polyjuice.Contracts;

/// <summary>
/// The engine's turn, as the host makes it known: whatever the
/// engine does happens there, so nobody needs to remember it.
/// </summary>
internal static class Turn
{
    /// <summary>Something is about to be awaited, which will go on in a later event of the turn.</summary>
    /// <exception cref="InvalidOperationException">The host called the engine off its turn.</exception>
    public static void Demand()
    {
        if (SynchronizationContext.Current is null)
            throw new InvalidOperationException(
                "The engine is called on its turn only, with the turn's synchronization context in place.");
    }

    /// <summary>
    /// Lets an await go on in a later event. Off the turn, the host
    /// is stopping an engine whose turn is over: nothing goes on.
    /// </summary>
    public static void Post(SendOrPostCallback callback, object state) =>
        SynchronizationContext.Current?.Post(callback, state);
}
