namespace Polyjuice.Storage.PostgreSql;

/// <summary>An append that its caller waits for (<see cref="AppendGroups"/>, under whose lock it changes).</summary>
internal sealed class PendingAppend(string segment, long offset, ReadOnlyMemory<byte> bytes)
{
    /// <summary>Where.</summary>
    public string Segment { get; } = segment;

    /// <summary>The length that the segment must have.</summary>
    public long Offset { get; } = offset;

    /// <summary>The caller's, until it has an answer.</summary>
    public ReadOnlyMemory<byte> Bytes { get; } = bytes;

    /// <summary>With which others it is under way; nothing before.</summary>
    public AppendGroup? Group { get; set; }

    /// <summary>Whether its caller does not want it any more.</summary>
    public bool IsGivenUp { get; set; }

    /// <summary>What has become of it.</summary>
    public TaskCompletionSource<DeviceAppendResult> Result { get; } =
        new(TaskCreationOptions.RunContinuationsAsynchronously);
}
