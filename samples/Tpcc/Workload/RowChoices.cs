using Polyjuice.Lab.Load;
using Tpcc.Loading;
using Tpcc.Schema;

namespace Tpcc.Workload;

/// <summary>
/// Which customers and items terminals choose: as the standard says, or by a Zipfian skew. Used on one thread.
/// </summary>
/// <param name="size">What there is to choose from.</param>
/// <param name="seed">Decides which are the hot ones.</param>
internal sealed class RowChoices(DatabaseSize size, ulong seed)
{
    private readonly NonUniform _standard = new(size, seed);
    private readonly SkewedKeys _customers = new(size.Customers, seed);
    private readonly SkewedKeys _items = new(size.Items, seed);
    private readonly SkewedKeys _names = new(size.LastNames, seed);

    /// <summary>A customer's number, from 1.</summary>
    public int Customer(BenchmarkRandom random, double? theta) =>
        theta is { } skew ? 1 + _customers.For(skew).Next(random) : _standard.Customer(random.Next);

    /// <summary>An item's number, from 1.</summary>
    public int Item(BenchmarkRandom random, double? theta) =>
        theta is { } skew ? 1 + _items.For(skew).Next(random) : _standard.Item(random.Next);

    /// <summary>A customer's last name.</summary>
    public string LastName(BenchmarkRandom random, double? theta) =>
        theta is { } skew ? LastNames.Of(_names.For(skew).Next(random)) : _standard.LastName(random.Next);
}
