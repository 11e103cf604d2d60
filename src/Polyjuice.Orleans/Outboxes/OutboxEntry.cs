using Orleans;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>A message as it is recorded.</summary>
/// <param name="Number">Its number in its lane; 0 before it has one.</param>
/// <param name="Source">The grain whose code has enqueued it.</param>
/// <param name="Sender">The sender's name.</param>
/// <param name="Content">What was enqueued, as Orleans' serialiser writes it.</param>
/// <param name="BeganAt">When its transaction had begun, in microseconds since 1970.</param>
[GenerateSerializer, Immutable, Alias("Polyjuice.OutboxEntry")]
internal sealed record OutboxEntry(
    [property: Id(0)] long Number,
    [property: Id(1)] GrainId Source,
    [property: Id(2)] string Sender,
    [property: Id(3)] byte[] Content,
    [property: Id(4)] long BeganAt)
{
    // About what is recorded besides the content.
    private const int OverheadBytes = 64;

    /// <summary>About what it takes in a record.</summary>
    public int Bytes => OverheadBytes + Content.Length;
}
