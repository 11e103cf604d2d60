using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>A state to begin with.</summary>
/// <param name="Key">Whose.</param>
/// <param name="Codec">How it is encoded.</param>
/// <param name="Encoded">The state.</param>
internal readonly record struct SeededState(ParticipantKey Key, string Codec, ReadOnlyMemory<byte> Encoded);

/// <summary>Writes states into empty logs, as if a transaction of nobody had written them before all others.</summary>
internal static class SeededLogs
{
    // Batches of about so much are read back piece by piece.
    private const int BatchBytes = 1 << 20;

    private const long EarliestTimestamp = 1;

    /// <summary>Writes them, each into the partition that its grain belongs to.</summary>
    /// <param name="logs">Empty ones.</param>
    /// <param name="states">Each participant once.</param>
    /// <param name="groups">The groups that grains declare.</param>
    /// <param name="cancellationToken">Gives up; then some are there.</param>
    /// <exception cref="InvalidOperationException">The logs are not empty.</exception>
    public static async Task WriteAsync(
        ILogStore logs, IEnumerable<SeededState> states, GrainGroups groups, CancellationToken cancellationToken)
    {
        var batches = new ByteWriter[logs.PartitionCount];
        var positions = new long[logs.PartitionCount];
        var written = 0L;
        foreach (var state in states)
        {
            var partition = groups.PartitionOf(state.Key.Grain, logs.PartitionCount);
            var batch = batches[partition] ??= new ByteWriter();

            // Below all that any clock gives.
            var version = new VersionId(new TransactionId(default, ++written), 0);
            LogRecords.WriteState(
                batch,
                state.Key,
                new CommittedState(version, EarliestTimestamp, state.Codec, state.Encoded.ToArray()));
            if (batch.Length >= BatchBytes) await AppendAsync(partition);
        }

        for (var partition = 0; partition < batches.Length; partition++)
        {
            if (batches[partition] is { Length: > 0 }) await AppendAsync(partition);
        }

        async Task AppendAsync(int partition)
        {
            var batch = batches[partition];
            var position = positions[partition]++;
            var id = new BatchId(0, position + 1);
            var result = await logs.Open(partition).AppendAsync(position, id, batch.WrittenMemory, cancellationToken);
            if (result != AppendResult.Appended)
                throw new InvalidOperationException($"Log partition {partition} is not empty.");
            batch.Clear();
        }
    }
}
