using Orleans;

namespace Tpcc.Schema;

/// <summary>
/// Where the next delivery of a district begins: the least NO_O_ID. Orders are delivered in the order of their numbers,
/// so that this is all that an index of NEW-ORDER would say. The rows themselves are with their orders
/// (<see cref="OrderRow.IsNew"/>).
/// </summary>
[GenerateSerializer]
public sealed class DeliveryQueue
{
    /// <summary>The oldest order that is not delivered, or the next one to come if all are.</summary>
    [Id(0)]
    public int OldestOrderId { get; set; } = 1;
}
