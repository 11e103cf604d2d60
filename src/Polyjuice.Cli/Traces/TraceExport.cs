using System.Globalization;
using System.Text.Json;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Traces;

/// <summary>Writes traces for other tools.</summary>
internal static class TraceExport
{
    /// <summary>
    /// One line for each transaction: a JSON object with its accesses, and its call if that is wanted.
    /// </summary>
    public static void JsonLines(AccessTrace trace, bool withCalls, Stream output, CancellationToken cancellationToken)
    {
        for (var number = 0; number < trace.Transactions.Length; number++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            using (var json = new Utf8JsonWriter(output))
                Write(trace, trace.Transactions[number], withCalls ? trace.Calls[number] : default, json);
            output.WriteByte((byte)'\n');
        }
    }

    /// <summary>
    /// One line for each access, with its transaction's figures; a
    /// transaction without accesses has one with the last columns empty.
    /// </summary>
    public static void Csv(AccessTrace trace, TextWriter output, CancellationToken cancellationToken)
    {
        output.Write(
            "transaction,type,arrivalUs,durationUs,lastAttemptUs,silo,attempts,outcome,access,site,kind,state,grain,atUs,computeUs,parallel,conflict\n");
        for (var number = 0; number < trace.Transactions.Length; number++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var transaction = trace.Transactions[number];
            var head = string.Create(
                CultureInfo.InvariantCulture,
                $"{number},{Quote(trace.Types[transaction.Type])},{transaction.ArrivalMicroseconds},{transaction.DurationMicroseconds},{transaction.LastAttemptMicroseconds},{transaction.Silo},{transaction.Attempts},{OutcomeOf(transaction)}");
            var accesses = trace.AccessesOf(transaction);
            if (accesses.IsEmpty) output.Write(head + ",,,,,,,,,\n");
            for (var i = 0; i < accesses.Length; i++)
            {
                var access = accesses[i];
                var site = trace.Sites[access.Site].Key;
                output.Write(string.Create(
                    CultureInfo.InvariantCulture,
                    $"{head},{i},{Quote(site.Name)},{KindOf(site)},{Quote(site.State)},{Quote(GrainOf(trace, access))},{access.AtMicroseconds},{access.ComputeMicroseconds},{(access.IsParallel ? 1 : 0)},{(access.MetConflict ? 1 : 0)}\n"));
            }
        }
    }

    private static void Write(
        AccessTrace trace, in TraceTransaction transaction, in TraceCall call, Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("type", trace.Types[transaction.Type]);
        json.WriteNumber("arrivalUs", transaction.ArrivalMicroseconds);
        json.WriteNumber("durationUs", transaction.DurationMicroseconds);
        json.WriteNumber("lastAttemptUs", transaction.LastAttemptMicroseconds);
        json.WriteNumber("silo", transaction.Silo);
        json.WriteNumber("attempts", transaction.Attempts);
        json.WriteString("outcome", OutcomeOf(transaction));
        if (transaction.IsReadOnly) json.WriteBoolean("readOnly", true);
        if (call.State != TracedCallState.NotRecorded) Write(trace, call, json);
        json.WriteStartArray("accesses");
        foreach (ref readonly var access in trace.AccessesOf(transaction))
        {
            var site = trace.Sites[access.Site].Key;
            json.WriteStartObject();
            json.WriteString("site", site.Name);
            json.WriteString("kind", KindOf(site));
            json.WriteString("state", site.State);
            json.WriteString("grain", GrainOf(trace, access));
            json.WriteNumber("atUs", access.AtMicroseconds);
            json.WriteNumber("computeUs", access.ComputeMicroseconds);
            if (access.IsParallel) json.WriteBoolean("parallel", true);
            if (access.MetConflict) json.WriteBoolean("conflict", true);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(AccessTrace trace, in TraceCall call, Utf8JsonWriter json)
    {
        json.WriteStartObject("call");
        json.WriteString("state", call.State.ToString());
        if (call.IsNamed)
        {
            var method = trace.Methods[call.Method];
            json.WriteString("interface", method.Interface);
            json.WriteString("method", method.Signature);
            json.WriteString("grainType", method.GrainType);
            json.WriteString("key", call.GrainKey);
        }

        if (call.State == TracedCallState.Whole) json.WriteBase64String("arguments", call.Arguments.Span);
        json.WriteEndObject();
    }

    private static string OutcomeOf(in TraceTransaction transaction) =>
        transaction.IsCommitted ? "Committed" : transaction.Outcome.ToString();

    private static string KindOf(SiteKey site) => site.Kind == AccessKind.Read ? "read" : "update";

    /// <summary>A grain without a key is named by its number, which means nothing beyond this trace.</summary>
    private static string GrainOf(AccessTrace trace, in TraceAccess access)
    {
        var grain = trace.Participants[access.Participant].Grain;
        return trace.Grains[grain].Key is { Length: > 0 } key
            ? key
            : string.Create(CultureInfo.InvariantCulture, $"{trace.Grains[grain].Class}#{grain}");
    }

    private static string Quote(string value) =>
        value.AsSpan().IndexOfAny(",\"\r\n") < 0
            ? value
            : $"\"{value.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
