namespace Polyjuice.Execution;

/// <summary>A set of indices into a transaction's participants. Needs an object of its own only beyond the first 64.</summary>
internal struct PartSet
{
    private const int Inline = 64;

    private ulong _bits;
    private HashSet<int>? _others;

    public readonly bool Contains(int part) => part < Inline ? (_bits & (1UL << part)) != 0 : _others is not null && _others.Contains(part);

    public void Add(int part)
    {
        if (part < Inline) _bits |= 1UL << part;
        else (_others ??= []).Add(part);
    }

    public readonly bool ContainsAll(int parts)
    {
        for (var i = 0; i < parts; i++)
        {
            if (!Contains(i)) return false;
        }

        return true;
    }
}
