using System.Text;
using Polyjuice.Tracing;

namespace Polyjuice.Training.Traces;

/// <summary>Traces made of traces. They change nothing that they are given.</summary>
internal static class TraceEdits
{
    /// <summary>
    /// The part of a trace that arrived within some time; its names stay as they are, and its start too.
    /// </summary>
    /// <param name="trace">Of what.</param>
    /// <param name="fromMicroseconds">Since the trace's start.</param>
    /// <param name="untilMicroseconds">Since the trace's start; not part of it.</param>
    /// <exception cref="ArgumentException">The time is empty, or nothing of it was recorded.</exception>
    public static AccessTrace Slice(this AccessTrace trace, long fromMicroseconds, long untilMicroseconds)
    {
        if (untilMicroseconds <= fromMicroseconds)
            throw new ArgumentException($"From {fromMicroseconds} to {untilMicroseconds} µs there is no time.");
        var windows = trace.Windows
            .Select(
                window => new TraceWindow(
                    Math.Max(window.StartMicroseconds, fromMicroseconds),
                    Math.Min(window.EndMicroseconds, untilMicroseconds)))
            .Where(window => window.LengthMicroseconds > 0).ToList();
        if (windows.Count == 0)
            throw new ArgumentException(
                $"Nothing was recorded from {fromMicroseconds} to {untilMicroseconds} µs; the trace's windows are from "
                + $"{trace.Windows.FirstOrDefault().StartMicroseconds} to "
                + $"{trace.Windows.LastOrDefault().EndMicroseconds} µs.");
        return Copy(
            trace, windows, static key => key, keepsNames: true, keepsCalls: true,
            transaction => transaction.ArrivalMicroseconds >= fromMicroseconds
                && transaction.ArrivalMicroseconds < untilMicroseconds,
            state => state.AtMicroseconds >= StateImage.WindowOf(trace, fromMicroseconds)
                && state.AtMicroseconds < untilMicroseconds);
    }

    /// <summary>
    /// The same trace without what could tell whose it is: keys of grains are hashed by a
    /// secret, and names of silos, all calls with their arguments and all states dropped.
    /// Names of types, methods, classes and states stay, because policies are about those.
    /// </summary>
    /// <param name="trace">Of what.</param>
    /// <param name="salt">
    /// A secret of 8 characters at least; <see langword="null"/> drops the keys
    /// altogether. With the same one, a grain has the same hash in every trace.
    /// </param>
    /// <exception cref="ArgumentException">The secret is too short.</exception>
    public static AccessTrace Anonymise(this AccessTrace trace, string? salt)
    {
        if (salt is { Length: < 8 }) throw new ArgumentException("A secret has 8 characters at least.", nameof(salt));
        var secret = salt is null ? null : Encoding.UTF8.GetBytes(salt);
        return Copy(
            trace,
            trace.Windows,
            key => secret is null || key.Length == 0 ? "" : Hash(secret, key),
            keepsNames: false,
            keepsCalls: false,
            static _ => true,
            static _ => false);
    }

    /// <summary>
    /// The same trace without the calls that its transactions began
    /// with and without states, for whoever has no use for them.
    /// </summary>
    public static AccessTrace WithoutCalls(this AccessTrace trace) =>
        trace.ArgumentEncoding.Length == 0
            ? trace
            : Copy(
                trace,
                trace.Windows,
                static key => key,
                keepsNames: true,
                keepsCalls: false,
                static _ => true,
                static _ => false);

    private static string Hash(byte[] secret, string key)
    {
        Span<byte> hash = stackalloc byte[TraceFormat.HashBytes];
        ChunkEncoder.Hash(secret, key, hash);
        return Convert.ToHexStringLower(hash);
    }

    private static AccessTrace Copy(
        AccessTrace trace, IReadOnlyList<TraceWindow> windows, Func<string, string> keyOf, bool keepsNames,
        bool keepsCalls, Func<TraceTransaction, bool> condition, Func<TraceState, bool> stateCondition)
    {
        var hasCalls = keepsCalls && trace.ArgumentEncoding.Length > 0;
        var builder = new AccessTraceBuilder(trace.StartMicroseconds)
        {
            Losses = trace.Losses, ArgumentEncoding = hasCalls ? trace.ArgumentEncoding : ""
        };
        foreach (var silo in trace.Silos) builder.AddSilo(silo.Node, keepsNames ? silo.Name : "");
        foreach (var type in trace.Types) builder.AddType(type);
        foreach (var site in trace.Sites) builder.AddSite(site.Key);
        foreach (var grain in trace.Grains) builder.AddGrain(grain.Class, keyOf(grain.Key));
        foreach (var participant in trace.Participants)
            builder.AddParticipant(participant.Grain, participant.State, participant.Silo);
        foreach (var window in windows) builder.AddWindow(window);
        if (hasCalls)
        {
            foreach (var method in trace.Methods) builder.AddMethod(method);
        }

        foreach (var state in trace.States)
        {
            if (!stateCondition(state)) continue;
            builder.StatePeriodMicroseconds = trace.StatePeriodMicroseconds;
            builder.AddState(state);
        }

        for (var i = 0; i < trace.Transactions.Length; i++)
        {
            ref readonly var transaction = ref trace.Transactions[i];
            if (condition(transaction))
                builder.AddTransaction(transaction, trace.AccessesOf(transaction), hasCalls ? trace.Calls[i] : default);
        }

        return builder.Build();
    }
}
