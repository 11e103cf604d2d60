namespace Polyjuice.Execution;

/// <summary>The engine's turn, as the host makes it known: whatever the engine does happens there, so nobody needs to remember it.</summary>
internal static class Turn
{
    /// <summary>Where continuations go.</summary>
    /// <exception cref="InvalidOperationException">The host called the engine off its turn.</exception>
    public static SynchronizationContext Current => SynchronizationContext.Current ?? throw new InvalidOperationException("The engine is called on its turn only, with the turn's synchronization context in place.");
}
