using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Tracing;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Training.Traces;

/// <summary>Reads what <see cref="MergedTraceWriter"/> has written.</summary>
internal static class MergedTraceReader
{
    /// <summary>
    /// Reads what follows the first block, which is given. A torn end is cut: the transactions before it are there.
    /// </summary>
    /// <exception cref="TraceFormatException">It holds what no version of this format does.</exception>
    public static (AccessTrace Trace, TraceFileReport Report) Read(TraceBlockReader blocks, ReadOnlySpan<byte> names)
    {
        try
        {
            var methods = new List<int>();
            var codecs = new List<string>();
            var builder = ReadNames(names, blocks.HasCalls ? methods : null, blocks.HasStates ? codecs : null);
            var count = 0L;
            var isComplete = false;
            while (blocks.TryRead(out var kind, out var content))
            {
                if (isComplete) throw new CodingException("Something follows the end.");
                if (kind == TraceBlockKind.MergedTransactions)
                    count += ReadTransactions(content, builder, blocks.HasCalls ? methods : null);
                else if (kind == TraceBlockKind.MergedStates && blocks.HasStates) ReadStates(content, builder, codecs);
                else if (kind == TraceBlockKind.End) isComplete = IsEnd(content, count);
                else throw new CodingException($"A block of kind {(int)kind} is not expected there.");
            }

            return (builder.Build(), new TraceFileReport(blocks.Name, isComplete, blocks.Offset, blocks.Torn));
        }
        catch (Exception exception) when (exception is CodingException or ArgumentException or OverflowException)
        {
            throw new TraceFormatException($"{blocks.Name} at offset {blocks.Offset}: {exception.Message}", exception);
        }
    }

    private static AccessTraceBuilder ReadNames(ReadOnlySpan<byte> content, List<int>? methods, List<string>? codecs)
    {
        var input = new ByteReader(content);
        var builder = new AccessTraceBuilder(input.Int());
        for (var left = input.Count(); left > 0; left--) builder.AddSilo(input.Int(), input.String());
        var types = new string[input.Count()];
        foreach (ref var type in types.AsSpan()) builder.AddType(type = input.String());
        for (var left = input.Count(); left > 0; left--)
        {
            var type = Int(ref input);
            if (type >= types.Length)
                throw new CodingException($"A site is of type {type}, and there are {types.Length}.");
            var (path, state) = (input.String(), input.String());
            var kind = input.Byte();
            if (kind > (byte)AccessKind.Update) throw new CodingException($"A site is of the unknown kind {kind}.");
            builder.AddSite(new SiteKey(types[type], path, state, (AccessKind)kind, input.String()));
        }

        for (var left = input.Count(); left > 0; left--) builder.AddGrain(input.String(), input.String());
        for (var left = input.Count(); left > 0; left--)
            builder.AddParticipant(Int(ref input), input.String(), Int(ref input));
        for (var left = input.Count(); left > 0; left--)
        {
            var start = input.Int();
            builder.AddWindow(new TraceWindow(start, start + (long)input.UInt()));
        }

        builder.Losses = new TraceLosses((long)input.UInt(), (long)input.UInt(), (long)input.UInt());
        if (methods is null) return builder;
        builder.ArgumentEncoding = input.String();
        for (var left = input.Count(); left > 0; left--) methods.Add(builder.AddMethod(MethodNames.Read(ref input)));
        if (codecs is null) return builder;
        builder.StatePeriodMicroseconds = checked((long)input.UInt());
        for (var left = input.Count(); left > 0; left--) codecs.Add(input.String());
        return builder;
    }

    private static void ReadStates(ReadOnlySpan<byte> content, AccessTraceBuilder builder, List<string> codecs)
    {
        var input = new ByteReader(content);
        foreach (var state in StateColumns.Read(ref input, 0, codecs, static number => checked((int)number)))
            builder.AddState(state);
    }

    private static int ReadTransactions(ReadOnlySpan<byte> content, AccessTraceBuilder builder, List<int>? methods)
    {
        var input = new ByteReader(content);
        var transactions = new TraceTransaction[input.Count()];
        var each = transactions.AsSpan();
        foreach (ref var transaction in each) transaction = transaction with { Type = Int(ref input) };
        var arrival = 0L;
        foreach (ref var transaction in each)
            transaction = transaction with { ArrivalMicroseconds = arrival += input.Int() };
        foreach (ref var transaction in each)
            transaction = transaction with { DurationMicroseconds = (long)input.UInt() };
        foreach (ref var transaction in each)
            transaction = transaction with { LastAttemptMicroseconds = (long)input.UInt() };
        foreach (ref var transaction in each) transaction = transaction with { Silo = Int(ref input) };
        foreach (ref var transaction in each) transaction = transaction with { Attempts = Int(ref input) };
        foreach (ref var transaction in each) transaction = transaction with { Outcome = (AbortReason)input.Byte() };
        foreach (ref var transaction in each) transaction = transaction with { IsReadOnly = input.Byte() != 0 };
        var count = 0;
        foreach (ref var transaction in each)
            count = checked(count + (transaction = transaction with { AccessCount = Int(ref input) }).AccessCount);
        if (count > input.Left) throw new CodingException("The bytes end in the middle of a value.");
        var accesses = new TraceAccess[count];
        foreach (ref var access in accesses.AsSpan()) access = access with { Site = Int(ref input) };
        foreach (ref var access in accesses.AsSpan()) access = access with { Participant = Int(ref input) };
        foreach (ref var access in accesses.AsSpan()) access = access with { AtMicroseconds = input.Int() };
        foreach (ref var access in accesses.AsSpan()) access = access with { ComputeMicroseconds = Int(ref input) };
        foreach (ref var access in accesses.AsSpan()) access = access with { Flags = (TraceAccessFlags)input.Byte() };
        var calls = methods is null
            ? new TraceCall[transactions.Length]
            : CallColumns.Read(ref input, transactions.Length, methods);
        var next = 0;
        for (var i = 0; i < transactions.Length; i++)
        {
            builder.AddTransaction(transactions[i], accesses.AsSpan(next, transactions[i].AccessCount), calls[i]);
            next += transactions[i].AccessCount;
        }

        return transactions.Length;
    }

    private static bool IsEnd(ReadOnlySpan<byte> content, long count)
    {
        var input = new ByteReader(content);
        var expected = (long)input.UInt();
        return expected == count
            ? true
            : throw new CodingException($"{count} transactions are there, and were {expected}.");
    }

    private static int Int(ref ByteReader input) => checked((int)input.UInt());
}
