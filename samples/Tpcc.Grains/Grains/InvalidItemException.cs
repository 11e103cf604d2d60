using Orleans;

namespace Tpcc.Grains;

/// <summary>An order names an item that there is not (clause 2.4.2.3). It aborts the whole order.</summary>
[GenerateSerializer]
public sealed class InvalidItemException : Exception
{
    public InvalidItemException()
        : base("Item number is not valid.")
    {
    }
}
