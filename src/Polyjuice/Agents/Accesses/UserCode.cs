namespace Polyjuice.Agents;

/// <summary>Calls what the application has given to an access, in the middle of an engine's turn.</summary>
internal static class UserCode
{
    /// <summary>
    /// The function does not see the turn: what it begins and does not await would come back there, run for as long as
    /// it likes, and find the engine entered already when it accesses a state.
    /// Without it, that goes on where the application's other code does.
    /// </summary>
    public static TResult Call<T, TResult>(Func<T, TResult> function, T value)
    {
        var turn = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            return function(value);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(turn);
        }
    }
}
