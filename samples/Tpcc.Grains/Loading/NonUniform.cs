using System.Numerics;
using Tpcc.Schema;

namespace Tpcc.Loading;

/// <summary>
/// The standard's skewed choices: NURand(A, x, y) = (((random(0, A) | random(x, y)) + C) % (y − x + 1)) + x, with a
/// constant C for each (clause 2.1.6). The constant for last names differs between loading and running by an amount
/// that clause 2.1.6.1 bounds. In a database that is scaled down, A shrinks with the number of choices, so that the
/// skew stays alike.
/// </summary>
public sealed class NonUniform
{
    private const int StandardNames = 255;
    private readonly DatabaseSize _size;
    private readonly int _names;
    private readonly int _customers;
    private readonly int _items;
    private readonly int _customerConstant;
    private readonly int _itemConstant;
    private readonly int _nameConstantOfLoad;
    private readonly int _nameConstantOfRun;

    /// <summary>Draws the constants.</summary>
    public NonUniform(DatabaseSize size, ulong seed)
    {
        var random = new SeededRandom(SeededRandom.Derive(seed, 0xC));
        _size = size;
        _names = Mask(StandardNames, size.LastNames / 1_000.0);
        _customers = Mask(1_023, size.Customers / 3_000.0);
        _items = Mask(8_191, size.Items / 100_000.0);
        _customerConstant = random.Next(_customers + 1);
        _itemConstant = random.Next(_items + 1);
        _nameConstantOfLoad = random.Next(_names + 1);
        do _nameConstantOfRun = random.Next(_names + 1);
        while (_names == StandardNames && !AreFarEnough(_nameConstantOfLoad, _nameConstantOfRun));
    }

    /// <summary>A customer's number, from 1.</summary>
    public int Customer(Func<int, int> next) => Draw(next, _customers, _customerConstant, _size.Customers) + 1;

    /// <summary>An item's number, from 1.</summary>
    public int Item(Func<int, int> next) => Draw(next, _items, _itemConstant, _size.Items) + 1;

    /// <summary>A last name, as transactions choose them.</summary>
    public string LastName(Func<int, int> next) =>
        LastNames.Of(Draw(next, _names, _nameConstantOfRun, _size.LastNames));

    /// <summary>A last name, as they are given to customers.</summary>
    public string LastNameToLoad(Func<int, int> next) =>
        LastNames.Of(Draw(next, _names, _nameConstantOfLoad, _size.LastNames));

    /// <summary>Clause 2.1.6.1.</summary>
    internal static bool AreFarEnough(int load, int run) =>
        Math.Abs(run - load) is >= 65 and <= 119 and not 96 and not 112;

    private static int Draw(Func<int, int> next, int a, int constant, int count) =>
        ((next(a + 1) | next(count)) + constant) % count;

    // A is one less than a power of two, or its bits would not be even.
    private static int Mask(int standard, double scale) =>
        (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, Math.Round((standard + 1) * scale))) - 1;
}
