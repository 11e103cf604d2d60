namespace Polyjuice.Embedded.Core;

/// <summary>What a node has sent to others. Written on its loop; other threads may see slightly old values.</summary>
internal sealed class NodeCounters
{
    public long Messages;
    public long Bytes;
    public long Batches;
    public long LocalCalls;
}
