using Orleans;

namespace Tpcc.Schema;

/// <summary>The newest order of a customer: what an index of ORDER by customer would say.</summary>
[GenerateSerializer]
public sealed class LastOrder
{
    /// <summary>The order's number in its district; 0 if there is none.</summary>
    [Id(0)]
    public int OrderId { get; set; }
}
