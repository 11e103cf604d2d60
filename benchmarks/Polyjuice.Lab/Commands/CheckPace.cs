namespace Polyjuice.Lab.Tool.Commands;

/// <summary>How much goes on at once in a run of <c>polyjuice-lab check</c>, and how much goes wrong.</summary>
/// <param name="Every">Mean seconds from one fault of a kind to the next.</param>
/// <param name="Seconds">How long the clients of a run go on.</param>
/// <param name="Clients">Clients of the closed loop.</param>
internal sealed record CheckPace(int Every, int Seconds, int Clients)
{
    /// <summary>Many faults in little time: what a minute or two have to show.</summary>
    public static CheckPace Short { get; } = new(Every: 3, Seconds: 8, Clients: 16);

    /// <summary>
    /// Five times as many transactions for the same processor time: where faults of a kind are 3 s apart, a fault of
    /// some kind is under way most of the time, and clients wait.
    /// </summary>
    public static CheckPace Night { get; } = new(Every: 10, Seconds: 25, Clients: 64);
}
