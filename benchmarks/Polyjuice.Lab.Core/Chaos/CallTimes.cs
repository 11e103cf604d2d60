using System.Diagnostics;
using System.Globalization;

namespace Polyjuice.Lab.Chaos;

/// <summary>
/// Judges how long calls take: none outlives the time that its caller has for it. On the clients' thread.
/// </summary>
/// <param name="responseTimeout">What a client waits for an answer.</param>
/// <param name="transactionTimeout">
/// The most that a transaction takes which a client runs over
/// several calls, beside the answers to its first and its last one.
/// </param>
internal sealed class CallTimes(TimeSpan responseTimeout, TimeSpan transactionTimeout)
{
    // Orleans looks once a second for calls whose time is over.
    private static readonly TimeSpan _tolerance = TimeSpan.FromSeconds(1.5);
    private readonly StallWatch _stalls = new();
    private readonly List<string> _late = [];

    /// <summary>Of calls that are one: the longest.</summary>
    public TimeSpan Longest { get; private set; }

    /// <summary>For how long the clients' process has stood still so far.</summary>
    public TimeSpan Stalled => _stalls.Late;

    /// <summary>What took too long, each in a sentence's part.</summary>
    public IReadOnlyList<string> Late => _late;

    /// <summary>Watches until it is over, and with it what is no call's fault.</summary>
    public Task WatchAsync(CancellationToken over) => _stalls.RunAsync(over);

    /// <summary>A call begins.</summary>
    /// <returns>To be called when it has ended, with what it was.</returns>
    public Action<string> Begin(bool isOneCall)
    {
        var (began, late) = (Stopwatch.GetTimestamp(), _stalls.Late);
        return what =>
        {
            var time = Stopwatch.GetElapsedTime(began) - (_stalls.Late - late);
            if (isOneCall && time > Longest) Longest = time;
            var most = isOneCall ? responseTimeout : transactionTimeout + (2 * responseTimeout);
            if (time > most + _tolerance)
                _late.Add(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{what} took {time.TotalSeconds:0.00} s, where {most.TotalSeconds:0.##} s are the most"));
        };
    }
}
