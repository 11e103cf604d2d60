using System.Globalization;
using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Calls;

/// <summary>Which of a recording's calls calibrate, and which are raced on. Immutable.</summary>
internal sealed class CallWindows
{
    /// <summary>A long recording is raced on in so many parts at the most: each needs logs of its own.</summary>
    private const int PartsMax = 6;

    /// <summary>More parts than rounds would be of no use.</summary>
    private const int RacedMax = 18;

    /// <summary>
    /// A part has at least so many calls for each client, so that most of it is no beginning and no end.
    /// </summary>
    private const int CallsPerClient = 40;

    /// <summary>
    /// With fewer for each client, the clients of a closed loop would mostly be those that find no call any more.
    /// </summary>
    private const int CallsPerClientMin = 4;

    private CallWindows(CallWindow search, IReadOnlyList<CallWindow> heldOut) => (Search, HeldOut) = (search, heldOut);

    /// <summary>Calls that the search sees as well: the calibration's.</summary>
    public CallWindow Search { get; }

    /// <summary>Calls that it does not see: the race's, in the order of their arrival.</summary>
    public IReadOnlyList<CallWindow> HeldOut { get; }

    /// <summary>How many calls that are.</summary>
    public int HeldOutCount => HeldOut.Sum(static window => window.Calls.Transactions.Length);

    /// <summary>Divides a recording.</summary>
    /// <param name="trace">With calls, and with states or without.</param>
    /// <param name="cut">When what is held out begins, in microseconds since the trace's start.</param>
    /// <param name="clients">Of the closed loop.</param>
    /// <exception cref="ArgumentException">Too few calls are held out.</exception>
    public static CallWindows Of(AccessTrace trace, long cut, int clients) =>
        Of(trace, RecordedStates.WindowsOf(trace), cut, clients, RecordedStates.Of(trace));

    /// <summary>The same of a recording whose states are somewhere else.</summary>
    /// <param name="trace">With calls.</param>
    /// <param name="all">Its parts that begin with known states, or its windows.</param>
    /// <param name="cut">When what is held out begins, in microseconds since the trace's start.</param>
    /// <param name="clients">Of the closed loop.</param>
    /// <param name="statesOf">
    /// Makes logs that hold the states with which such a part began; <see langword="null"/> if they were not recorded:
    /// then all that is known of them is what earlier calls have done.
    /// </param>
    /// <exception cref="ArgumentException">Too few calls are held out.</exception>
    internal static CallWindows Of(
        AccessTrace trace, IReadOnlyList<TraceWindow> all, long cut, int clients,
        Func<TraceWindow, int, GrainGroups, Task<MemoryLogStore>>? statesOf)
    {
        var windows = all.Where(window => HasCalls(trace, window.StartMicroseconds, window.EndMicroseconds)).ToArray();
        var heldOut = new List<CallWindow>();
        foreach (var window in windows.Where(window => window.EndMicroseconds > cut))
        {
            var begin = Math.Max(window.StartMicroseconds, cut);
            var isFirst = true;
            foreach (var (from, until) in PartsOf(trace, begin, window.EndMicroseconds, clients))
            {
                var part = new CallWindow(NameOf(heldOut.Count), trace.Slice(from, until));
                var before = statesOf is null && heldOut.Count == 0 ? 0 : window.StartMicroseconds;
                heldOut.Add((isFirst && statesOf is not null) || heldOut.Count == 0
                    ? part with { Before = CallsOf(trace, before, from), States = StatesOf(window) }
                    : part with { Previous = heldOut[^1] });
                isFirst = false;
            }
        }

        // Those that are too short are still on the way to the states of those behind them.
        var raced = heldOut.Where(part => part.Calls.Transactions.Length >= CallsPerClientMin * clients).ToArray();
        if (raced.Length == 0)
        {
            var longestOne = heldOut.Select(static part => part.Calls.Transactions.Length).DefaultIfEmpty().Max();
            throw new ArgumentException(string.Create(
                CultureInfo.InvariantCulture,
                $"Of the calls that the search does not see, no window has as many as {clients:n0} clients need, "
                + $"{CallsPerClientMin * clients:n0}: the longest has {longestOne:n0}. "
                + $"Record longer windows, or measure with fewer --clients."),
                nameof(trace));
        }

        return new CallWindows(SearchOf(), [.. raced.Where((_, i) => i == 0 || PlaceOf(i) != PlaceOf(i - 1))]);

        int PlaceOf(int part) => part * RacedMax / raced.Length;

        CallWindow SearchOf()
        {
            // With recorded states, any window is as good as the first one.
            var longest = windows.Where(window => window.StartMicroseconds < cut).DefaultIfEmpty(windows[0])
                .MaxBy(window => CountOf(trace, window.StartMicroseconds, Math.Min(window.EndMicroseconds, cut)));
            const string name = "the calibration";
            if (statesOf is null) return new CallWindow(name, trace.Slice(0, cut));
            var calls = trace.Slice(longest.StartMicroseconds, Math.Min(longest.EndMicroseconds, cut));
            return new CallWindow(name, calls) { States = StatesOf(longest) };
        }

        Func<int, GrainGroups, Task<MemoryLogStore>>? StatesOf(TraceWindow window) =>
            statesOf is null ? null : (partitions, groups) => statesOf(window, partitions, groups);
    }

    private static string NameOf(int number) =>
        string.Create(CultureInfo.InvariantCulture, $"part {number + 1} of the held-out calls");

    private static IEnumerable<(long From, long Until)> PartsOf(AccessTrace trace, long from, long until, int clients)
    {
        var (first, count) = (FirstAt(trace, from), CountOf(trace, from, until));
        var parts = Math.Clamp(count / (CallsPerClient * clients), 1, PartsMax);
        for (var i = 0; i < parts; i++)
        {
            var begin = i == 0 ? from : ArrivalAt(i);
            var end = i == parts - 1 ? until : ArrivalAt(i + 1);

            // Many that arrive within one microsecond.
            if (begin < end) yield return (begin, end);
        }

        long ArrivalAt(int part) => trace.Transactions[first + (part * count / parts)].ArrivalMicroseconds;
    }

    private static AccessTrace? CallsOf(AccessTrace trace, long from, long until) =>
        HasCalls(trace, from, until) ? trace.Slice(from, until) : null;

    private static bool HasCalls(AccessTrace trace, long from, long until) => CountOf(trace, from, until) > 0;

    private static int CountOf(AccessTrace trace, long from, long until) =>
        FirstAt(trace, until) - FirstAt(trace, from);

    /// <summary>
    /// The first transaction that arrived at or behind a time: they are in the order of their arrival.
    /// </summary>
    private static int FirstAt(AccessTrace trace, long microseconds)
    {
        var (low, high) = (0, trace.Transactions.Length);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (trace.Transactions[middle].ArrivalMicroseconds < microseconds) low = middle + 1;
            else high = middle;
        }

        return low;
    }
}
