using Orleans;

namespace Smallbank.Grains;

/// <summary>The state of one account.</summary>
[GenerateSerializer]
public sealed class Money
{
    [Id(0)]
    public long Cents { get; set; }
}
