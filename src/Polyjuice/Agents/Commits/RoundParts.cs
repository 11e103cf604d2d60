using System.Numerics;

namespace Polyjuice.Agents;

/// <summary>
/// Which of a transaction's participants have been asked in a round, and which have ordered it. Needs an object of its
/// own only beyond the first 64.
/// </summary>
internal struct RoundParts
{
    private const int Inline = 64;

    private ulong _asked;
    private ulong _ordered;
    private Others? _others;

    public readonly int OrderedCount => BitOperations.PopCount(_ordered) + (_others?.Ordered.Count ?? 0);

    public readonly bool IsAsked(int part) =>
        part < Inline ? (_asked & (1UL << part)) != 0 : _others is not null && _others.Asked.Contains(part);

    public readonly bool HasOrdered(int part) =>
        part < Inline ? (_ordered & (1UL << part)) != 0 : _others is not null && _others.Ordered.Contains(part);

    public void Ask(int part)
    {
        if (part < Inline) _asked |= 1UL << part;
        else (_others ??= new()).Asked.Add(part);
    }

    public void Order(int part)
    {
        if (part < Inline) _ordered |= 1UL << part;
        else (_others ??= new()).Ordered.Add(part);
    }

    public readonly bool AreAllAsked(int parts) =>
        BitOperations.PopCount(_asked) + (_others?.Asked.Count ?? 0) == parts;

    private sealed class Others
    {
        public readonly HashSet<int> Asked = [];
        public readonly HashSet<int> Ordered = [];
    }
}
