using System.Diagnostics.Metrics;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// The calls that start a transaction which this process, a silo or a client, has sent and has no answer to. Those
/// beyond a limit (<see cref="UnansweredLimit"/>) wait here before they are sent. Thread-safe.
/// </summary>
internal sealed class UnansweredCalls : PlaceQueue
{
    /// <param name="fixedAt">The limit; 0 to find it out.</param>
    /// <param name="patience">For how long one waits at the most.</param>
    /// <param name="responseTimeout">
    /// For how long a caller waits for an answer; 0 or less for as long as it takes.
    /// </param>
    /// <param name="meters">The host's, if it has one.</param>
    public UnansweredCalls(int fixedAt, TimeSpan patience, TimeSpan responseTimeout, IMeterFactory? meters = null)
        : this(
            fixedAt, responseTimeout > TimeSpan.Zero && responseTimeout < patience ? responseTimeout : patience,
            Environment.ProcessorCount, TimeProvider.System, meters)
    {
    }

    /// <param name="fixedAt">The limit; 0 to find it out.</param>
    /// <param name="patience">For how long one waits at the most.</param>
    /// <param name="processors">How many there are.</param>
    /// <param name="time">For how long is waited.</param>
    /// <param name="meters">The host's, if it has one.</param>
    internal UnansweredCalls(
        int fixedAt, TimeSpan patience, int processors, TimeProvider time, IMeterFactory? meters = null)
        : base(
            fixedAt > 0 ? new FixedLimit(fixedAt) : new UnansweredLimit(), patience, processors, time,
            new("polyjuice.calls", "call", "unanswered"), meters)
    {
    }
}
