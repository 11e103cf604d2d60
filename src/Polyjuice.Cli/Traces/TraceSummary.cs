using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Traces;

/// <summary>Says what is in a trace.</summary>
internal static class TraceSummary
{
    private const int HottestMax = 10;

    public static void Print(TraceReading reading, TextWriter output)
    {
        var trace = reading.Trace;
        void Line(FormattableString text) => output.WriteLine(text.ToString(CultureInfo.InvariantCulture));

        foreach (var file in reading.Files)
            Line($"{file.Name}: {file.Bytes:n0} bytes{(file.IsComplete ? "" : ", not ended in good order")}");
        var start = DateTimeOffset.UnixEpoch.AddMicroseconds(trace.StartMicroseconds);
        Line(
            $"from {start:yyyy-MM-dd HH:mm:ss.fff} UTC, {trace.RecordedMicroseconds / 1e6:0.000} s in {trace.Windows.Count} window(s), by {trace.Silos.Count} node(s)");
        Line(
            $"{trace.Transactions.Length:n0} transactions, {trace.Accesses.Length:n0} accesses of {trace.Participants.Count:n0} participants in {trace.Grains.Count:n0} grains");
        Line(
            $"left out: {trace.Losses.Transactions:n0} transactions of which a part is missing; dropped while recording: {trace.Losses.Records:n0} records in {trace.Losses.Windows:n0} window(s)");
        PrintCalls(trace, Line);
        PrintStates(trace, Line);
        if (trace.Transactions.Length == 0) return;
        output.WriteLine();
        PrintTypes(trace, Line);
        output.WriteLine();
        PrintSites(trace, Line);
        output.WriteLine();
        PrintHottest(trace, Line);
    }

    private static void PrintCalls(AccessTrace trace, Action<FormattableString> line)
    {
        if (trace.ArgumentEncoding.Length == 0)
        {
            line($"calls: none were recorded");
            return;
        }

        var byState = new int[(int)TracedCallState.NoCall + 1];
        var bytes = 0L;
        foreach (ref readonly var call in trace.Calls)
        {
            byState[(int)call.State]++;
            bytes += call.Arguments.Length;
        }

        line(
            $"calls: {byState[(int)TracedCallState.Whole]:n0} with {bytes:n0} bytes of arguments, encoded as {trace.ArgumentEncoding}, of {trace.Methods.Count} methods; ARGUMENTS MAY BE PERSONAL DATA ('trace anonymise' drops them)");
        line(
            $"not to be replayed: {byState[(int)TracedCallState.TooLarge]:n0} whose arguments were too large, {byState[(int)TracedCallState.NotEncodable]:n0} whose arguments could not be serialised, {byState[(int)TracedCallState.NoCall]:n0} that were no grain calls, {byState[(int)TracedCallState.NotRecorded]:n0} that were not recorded");
    }

    private static void PrintStates(AccessTrace trace, Action<FormattableString> line)
    {
        if (trace.States.IsEmpty)
        {
            if (trace.ArgumentEncoding.Length > 0) line($"states: none were recorded");
            return;
        }

        var (known, bytes) = (0, 0L);
        foreach (ref readonly var state in trace.States)
        {
            if (state.Kind.IsKnown()) known++;
            bytes += state.Bytes.Length;
        }

        var period = trace.StatePeriodMicroseconds / 1e6;
        var lost = trace.States.Length - known;
        line(
            $"states: {known:n0} with {bytes:n0} bytes, as of every {period:0.###} s; THEY MAY BE PERSONAL DATA ('trace anonymise' drops them)");
        line(
            $"not there: {lost:n0} states that were too large, refused by their codecs, or forgotten before they could be recorded");
    }

    private static void PrintTypes(AccessTrace trace, Action<FormattableString> line)
    {
        var types = trace.Transactions.ToArray().GroupBy(transaction => transaction.Type)
            .OrderByDescending(type => type.Count());
        line($"{"count",12} {"committed",10} {"attempts",9} {"accesses",9} {"p50 ms",9} {"p99 ms",9}  type");
        foreach (var type in types)
        {
            var durations = type.Select(transaction => transaction.DurationMicroseconds).Order().ToArray();
            line(
                $"{durations.Length,12:n0} {type.Count(t => t.IsCommitted) / (double)durations.Length,10:p1} {type.Average(t => t.Attempts),9:0.00} {type.Average(t => t.AccessCount),9:0.0} {Percentile(durations, 50) / 1e3,9:0.00} {Percentile(durations, 99) / 1e3,9:0.00}  {trace.Types[type.Key]}");
        }
    }

    private static void PrintSites(AccessTrace trace, Action<FormattableString> line)
    {
        var counts = new (long Count, long Conflicts)[trace.Sites.Count];
        foreach (ref readonly var access in trace.Accesses)
        {
            ref var count = ref counts[access.Site];
            count.Count++;
            if (access.MetConflict) count.Conflicts++;
        }

        line($"{"accesses",12} {"conflicts",10}  site");
        for (var site = 0; site < counts.Length; site++)
        {
            if (counts[site].Count > 0)
                line(
                    $"{counts[site].Count,12:n0} {counts[site].Conflicts / (double)counts[site].Count,10:p1}  {trace.Sites[site].Key.Name}{(trace.Sites[site].IsRepeated ? " (loop)" : "")}");
        }
    }

    private static void PrintHottest(AccessTrace trace, Action<FormattableString> line)
    {
        var counts = new (long Count, long Updates)[trace.Participants.Count];
        foreach (ref readonly var access in trace.Accesses)
        {
            ref var count = ref counts[access.Participant];
            count.Count++;
            if (trace.Sites[access.Site].Key.Kind == AccessKind.Update) count.Updates++;
        }

        line($"{"share",12} {"updates",10}  most accessed");
        foreach (var hot in Enumerable.Range(0, counts.Length).OrderByDescending(number => counts[number].Count)
            .Take(HottestMax))
        {
            var participant = trace.Participants[hot];
            var key = trace.Grains[participant.Grain].Key;
            line(
                $"{counts[hot].Count / (double)trace.Accesses.Length,12:p2} {counts[hot].Updates / (double)Math.Max(1, counts[hot].Count),10:p0}  {participant.State} of {(key.Length > 0 ? key : $"grain {participant.Grain}")}");
        }
    }

    private static long Percentile(long[] sorted, int percent) =>
        sorted[Math.Min(sorted.Length - 1, sorted.Length * percent / 100)];
}
