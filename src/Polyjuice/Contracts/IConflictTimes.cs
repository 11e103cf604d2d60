namespace Polyjuice.Contracts;

/// <summary>
/// Hears for how long transactions stand in others' way; for
/// experiments. Called on engines' turns, of several nodes at once.
/// </summary>
internal interface IConflictTimes
{
    /// <summary>A reservation has ended.</summary>
    /// <param name="key">Where.</param>
    /// <param name="microseconds">For how long it was held, alone or with others.</param>
    void Held(ParticipantKey key, long microseconds);

    /// <summary>A transaction is ordered everywhere.</summary>
    /// <param name="microseconds">Since its attempt began to reserve, or to run where it reserved nothing.</param>
    void Sealed(long microseconds);
}
