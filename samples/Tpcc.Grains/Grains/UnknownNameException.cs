using Orleans;

namespace Tpcc.Grains;

/// <summary>No customer of a district has the last name that one is looked for by.</summary>
[GenerateSerializer]
public sealed class UnknownNameException : Exception
{
    public UnknownNameException()
        : base("No customer of that district has that last name.")
    {
    }
}
