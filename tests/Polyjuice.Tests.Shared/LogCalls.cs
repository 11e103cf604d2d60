using Polyjuice.Storage;

namespace Polyjuice.Tests.Shared;

/// <summary>What tests of logs do all the time.</summary>
internal static class LogCalls
{
    internal static async Task<AppendResult> Append(
        this IPartitionLog log, long position, long batch, params byte[] bytes) =>
        await log.AppendAsync(position, new BatchId(1, batch), bytes, CancellationToken.None);

    internal static async Task<long> End(this IPartitionLog log) => await log.GetEndAsync(CancellationToken.None);

    internal static async Task<List<byte[]>> Read(this IPartitionLog log, long from, long to)
    {
        var batches = new List<byte[]>();
        await foreach (var batch in log.ReadAsync(from, to, CancellationToken.None)) batches.Add(batch.ToArray());
        return batches;
    }

    /// <summary>Appends batches that say their position, one byte per batch and filler, from the end on.</summary>
    internal static Task Fill(this IPartitionLog log, int count, int length = 1) =>
        log.Fill(count, position => Batch(position, length));

    /// <summary>Appends batches from the end on.</summary>
    internal static async Task Fill(this IPartitionLog log, int count, Func<long, byte[]> batchAt)
    {
        var position = await log.End();
        for (var i = 0; i < count; i++, position++)
            Assert.Equal(AppendResult.Appended, await log.Append(position, 1_000 + position, batchAt(position)));
    }

    public static byte[] Batch(long position, int length)
    {
        var bytes = new byte[length];
        Array.Fill(bytes, (byte)position);
        return bytes;
    }

    public static async IAsyncEnumerable<ReadOnlyMemory<byte>> Pieces(params byte[][] pieces)
    {
        foreach (var piece in pieces) yield return piece;
        await ValueTask.CompletedTask;
    }

    internal static async Task<byte[]> ReadAll(this LogCheckpoint checkpoint)
    {
        var bytes = new List<byte>();
        await foreach (var piece in checkpoint.Content) bytes.AddRange(piece.Span);
        return [.. bytes];
    }
}
