using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Rubis;

/// <summary>How often clients of RUBiS do what.</summary>
internal sealed class RubisMix
{
    public const int StoreBid = 0;
    public const int StoreComment = 1;
    public const int StoreItem = 2;
    public const int ViewItem = 3;
    public const int ViewUser = 4;
    public const int SearchCategory = 5;
    public const int SearchRegion = 6;

    private static readonly (OperationType Type, int Weight)[] _bidding =
    [
        (new("StoreBid", $"{nameof(IBidGrain)}.{nameof(IBidGrain.Store)}"), 10),
        (new("StoreComment", $"{nameof(ICommentGrain)}.{nameof(ICommentGrain.Store)}"), 2),
        (new("StoreItem", $"{nameof(IAuctionGrain)}.{nameof(IAuctionGrain.Open)}"), 3),
        (new("ViewItem", $"{nameof(IAuctionGrain)}.{nameof(IAuctionGrain.View)}"), 40),
        (new("ViewUser", $"{nameof(IAuctionUserGrain)}.{nameof(IAuctionUserGrain.View)}"), 10),
        (new("SearchItemsByCategory", $"{nameof(IAuctionIndexGrain)}.{nameof(IAuctionIndexGrain.Search)}"), 25),
        (new("SearchItemsByRegion", $"{nameof(IAuctionIndexGrain)}.{nameof(IAuctionIndexGrain.Search)}"), 10),
    ];

    private readonly int[] _weights;
    private readonly int _total;

    private RubisMix(int[] weights) => (_weights, _total) = (weights, weights.Sum());

    /// <summary>The bidding mix: 15 of a hundred transactions write.</summary>
    public static RubisMix Bidding { get; } = new([.. _bidding.Select(entry => entry.Weight)]);

    /// <summary>The same with half of the transactions bids, as on auctions near their end.</summary>
    public static RubisMix Contended { get; } = new([
        .. _bidding.Select(
            (entry, type) => type == StoreBid ? _bidding.Skip(1).Sum(other => other.Weight) : entry.Weight)
    ]);

    public static IReadOnlyList<OperationType> Types { get; } = [.. _bidding.Select(entry => entry.Type)];

    public int Choose(BenchmarkRandom random)
    {
        var left = random.Next(_total);
        var type = 0;
        while ((left -= _weights[type]) >= 0) type++;
        return type;
    }
}
