using Polyjuice.Tracing;
using Polyjuice.Wire;

namespace Polyjuice.Training.Traces;

/// <summary>
/// Writes a trace into one file: names first, then blocks of transactions with their accesses, column by column.
/// </summary>
internal static class MergedTraceWriter
{
    /// <summary>Transactions of a block.</summary>
    private const int BlockMax = 8_192;

    /// <summary>Bytes of arguments or states that end a block, far below what a block may have.</summary>
    private const long ArgumentBytesMax = 8 << 20;

    public static async Task WriteAsync(AccessTrace trace, Stream stream, CancellationToken cancellationToken)
    {
        var blocks = new TraceBlockWriter();
        var content = new ByteWriter();
        await stream.WriteAsync(TraceBlockWriter.FileHeader(HasCalls(trace), HasStates(trace)), cancellationToken);
        WriteNames(trace, content);
        await stream.WriteAsync(blocks.Block(TraceBlockKind.MergedNames, content.Written), cancellationToken);
        for (int first = 0, next; first < trace.Transactions.Length; first = next)
        {
            next = EndOf(trace, first);
            content.Clear();
            WriteTransactions(trace, trace.Transactions[first..next], content);
            if (HasCalls(trace)) CallColumns.Write(trace.Calls[first..next], content);
            await stream.WriteAsync(
                blocks.Block(TraceBlockKind.MergedTransactions, content.Written), cancellationToken);
        }

        await WriteStatesAsync(trace, blocks, content, stream, cancellationToken);
        content.Clear();
        content.UInt((ulong)trace.Transactions.Length);
        await stream.WriteAsync(blocks.Block(TraceBlockKind.End, content.Written), cancellationToken);
        await stream.FlushAsync(cancellationToken);
    }

    private static bool HasCalls(AccessTrace trace) => trace.ArgumentEncoding.Length > 0;

    private static bool HasStates(AccessTrace trace) => !trace.States.IsEmpty;

    private static async Task WriteStatesAsync(
        AccessTrace trace, TraceBlockWriter blocks, ByteWriter content, Stream stream,
        CancellationToken cancellationToken)
    {
        var codecs = CodecsOf(trace);
        for (int first = 0, next; first < trace.States.Length; first = next)
        {
            next = first;
            for (var bytes = 0L; next < trace.States.Length && next - first < BlockMax
                && bytes < ArgumentBytesMax; next++)
                bytes += trace.States[next].Bytes.Length;
            content.Clear();
            StateColumns.Write(trace.States[first..next], codecs, content);
            await stream.WriteAsync(blocks.Block(TraceBlockKind.MergedStates, content.Written), cancellationToken);
        }
    }

    private static Dictionary<string, int> CodecsOf(AccessTrace trace)
    {
        var codecs = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (ref readonly var state in trace.States) codecs.TryAdd(state.Codec, codecs.Count);
        return codecs;
    }

    /// <summary>Where the block ends that begins with a transaction.</summary>
    private static int EndOf(AccessTrace trace, int first)
    {
        var most = Math.Min(trace.Transactions.Length, first + BlockMax);
        if (!HasCalls(trace)) return most;
        var (end, bytes) = (first, 0L);
        while (end < most && bytes < ArgumentBytesMax) bytes += trace.Calls[end++].Arguments.Length;
        return end;
    }

    private static void WriteNames(AccessTrace trace, ByteWriter output)
    {
        output.Int(trace.StartMicroseconds);
        Each(trace.Silos, output, silo =>
        {
            output.Int(silo.Node);
            output.String(silo.Name);
        });
        Each(trace.Types, output, output.String);
        Each(trace.Sites, output, site =>
        {
            output.UInt((ulong)site.Type);
            output.String(site.Key.Path);
            output.String(site.Key.State);
            output.Byte((byte)site.Key.Kind);
            output.String(site.Key.Label);
        });
        Each(trace.Grains, output, grain =>
        {
            output.String(grain.Class);
            output.String(grain.Key);
        });
        Each(trace.Participants, output, participant =>
        {
            output.UInt((ulong)participant.Grain);
            output.String(participant.State);
            output.UInt((ulong)participant.Silo);
        });
        Each(trace.Windows, output, window =>
        {
            output.Int(window.StartMicroseconds);
            output.UInt((ulong)window.LengthMicroseconds);
        });
        output.UInt((ulong)trace.Losses.Windows);
        output.UInt((ulong)trace.Losses.Records);
        output.UInt((ulong)trace.Losses.Transactions);
        if (!HasCalls(trace)) return;
        output.String(trace.ArgumentEncoding);
        Each(trace.Methods, output, method => MethodNames.Write(method, output));
        if (!HasStates(trace)) return;
        output.UInt((ulong)trace.StatePeriodMicroseconds);
        Each([.. CodecsOf(trace).Keys], output, output.String);
    }

    private static void WriteTransactions(
        AccessTrace trace, ReadOnlySpan<TraceTransaction> transactions, ByteWriter output)
    {
        output.UInt((ulong)transactions.Length);
        foreach (ref readonly var transaction in transactions) output.UInt((ulong)transaction.Type);
        var before = 0L;
        foreach (ref readonly var transaction in transactions)
        {
            output.Int(transaction.ArrivalMicroseconds - before);
            before = transaction.ArrivalMicroseconds;
        }

        foreach (ref readonly var transaction in transactions) output.UInt((ulong)transaction.DurationMicroseconds);
        foreach (ref readonly var transaction in transactions) output.UInt((ulong)transaction.LastAttemptMicroseconds);
        foreach (ref readonly var transaction in transactions) output.UInt((ulong)transaction.Silo);
        foreach (ref readonly var transaction in transactions) output.UInt((ulong)transaction.Attempts);
        foreach (ref readonly var transaction in transactions) output.Byte((byte)transaction.Outcome);
        foreach (ref readonly var transaction in transactions) output.Byte(transaction.IsReadOnly ? (byte)1 : (byte)0);
        foreach (ref readonly var transaction in transactions) output.UInt((ulong)transaction.AccessCount);
        var first = transactions.Length > 0 ? transactions[0].FirstAccess : 0;
        var end = transactions.Length > 0 ? transactions[^1].FirstAccess + transactions[^1].AccessCount : 0;
        var accesses = trace.Accesses[first..end];
        foreach (ref readonly var access in accesses) output.UInt((ulong)access.Site);
        foreach (ref readonly var access in accesses) output.UInt((ulong)access.Participant);
        foreach (ref readonly var access in accesses) output.Int(access.AtMicroseconds);
        foreach (ref readonly var access in accesses) output.UInt((ulong)access.ComputeMicroseconds);
        foreach (ref readonly var access in accesses) output.Byte((byte)access.Flags);
    }

    private static void Each<T>(IReadOnlyList<T> items, ByteWriter output, Action<T> write)
    {
        output.UInt((ulong)items.Count);
        foreach (var item in items) write(item);
    }
}
