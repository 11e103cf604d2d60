using System.Globalization;

namespace Polyjuice.Storage;

/// <summary>
/// Which log: part of every segment's and checkpoint's header, so that files of different logs are never mixed up.
/// </summary>
/// <param name="Store">Random number of the whole store, made at its creation.</param>
/// <param name="Partition">The partition.</param>
/// <param name="PartitionCount">How many the store has.</param>
internal readonly record struct LogIdentity(ulong Store, int Partition, int PartitionCount)
{
    public const string SegmentSuffix = ".log";
    public const string CheckpointSuffix = ".checkpoint";

    /// <summary>
    /// Goes into every batch's checksum, so that a batch of another log, or a
    /// copy of one inside another's payload, is never taken for one of this.
    /// </summary>
    public uint Seed => (uint)(Store ^ (Store >> 32)) ^ ((uint)Partition * 0x9E37_79B1);

    /// <summary>What the names of everything of this partition begin with.</summary>
    public string Prefix => Folder(Partition);

    /// <summary>The name of the segment whose first batch has this position.</summary>
    public string Segment(long firstPosition) => Name(firstPosition, SegmentSuffix);

    /// <summary>The name of the checkpoint of all batches below a position.</summary>
    public string Checkpoint(long position) => Name(position, CheckpointSuffix);

    public static string Folder(int partition) => string.Create(CultureInfo.InvariantCulture, $"p{partition:D5}/");

    /// <summary>The position that a name of this partition says, if it is a name with that suffix.</summary>
    public static bool TryParse(string name, string suffix, out long position)
    {
        position = 0;
        var slash = name.LastIndexOf('/');
        return name.EndsWith(suffix, StringComparison.Ordinal) && name.Length - slash - 1 == 20 + suffix.Length
            && long.TryParse(name.AsSpan(slash + 1, 20), NumberStyles.None, CultureInfo.InvariantCulture, out position);
    }

    private string Name(long position, string suffix) =>
        string.Create(CultureInfo.InvariantCulture, $"{Prefix}{position:D20}{suffix}");
}
