namespace Polyjuice.Orleans.Health;

/// <summary>Whether a silo's engines get on. Thread-safe.</summary>
internal interface IEnginePulse
{
    /// <summary>
    /// Completes when every engine's turn has come to what is asked now, with the time that the slowest took. While one
    /// question is not answered there is no other: so a turn that stands still is asked once, however often somebody
    /// looks.
    /// </summary>
    Task<TimeSpan> PulseAsync();
}
