using System.Collections.Immutable;

namespace Polyjuice.Embedded.Tests.Serialization;

[GenerateSerializer]
internal enum Colour : byte
{
    Red,
    Green = 200,
}

[GenerateSerializer]
internal sealed class Account
{
    [Id(0)] public int Balance { get; set; }
    [Id(1)] public string? Owner { get; set; }
    [Id(2)] public List<string> Notes { get; set; } = [];
    [Id(3)] private long _version;
    [Id(4)] public readonly Colour Colour = Colour.Red;
    [Id(5)] public decimal Limit { get; private set; }
    [Id(6)] public Guid Tag { get; init; }
    [Id(7)] internal Dictionary<string, int[]> Marks = [];
    public int NotCarried { get; set; }

    public long Version { get => _version; set => _version = value; }

    public void SetLimit(decimal limit) => Limit = limit;
}

[GenerateSerializer]
internal sealed record Money(decimal Amount, string Currency)
{
    [Id(0)] public string? Comment { get; init; }
}

[GenerateSerializer]
internal readonly record struct Point(int X, int Y);

[GenerateSerializer]
internal struct Segment
{
    [Id(0)] public Point From;
    [Id(1)] private readonly Point _to;
    [Id(2)] public List<int>? Marks;

    public Segment(Point from, Point to) => (From, _to) = (from, to);

    public readonly Point To => _to;
}

[GenerateSerializer]
internal class Box<T>
{
    [Id(0)] public T? Value { get; set; }
    [Id(1)] private T? _other;

    public void SetOther(T other) => _other = other;

    public T? GetOther() => _other;

    [GenerateSerializer]
    internal sealed class Lid<TLid> where TLid : struct
    {
        [Id(0)] private TLid? _size;
        [Id(1)] public T? Label;

        public TLid? Size { get => _size; set => _size = value; }
    }
}

[GenerateSerializer]
internal sealed record Pair<T>(T First, T Second);

[GenerateSerializer]
internal abstract class Shape
{
    [Id(0)] public string Name { get; set; } = "";

    [Id(1)] private protected int Sides { get; set; }
}

[GenerateSerializer]
[Alias("circle")]
internal class Circle : Shape
{
    [Id(0)] public double Radius { get; set; }

    public Circle() => Sides = 1;

    public int SideCount => Sides;
}

[GenerateSerializer]
internal sealed class Ring : Circle
{
    [Id(0)] public double Inner { get; set; }
}

[GenerateSerializer]
internal sealed class Boxed : Box<List<int>>
{
    [Id(0)] public bool IsOpen { get; set; }
}

[GenerateSerializer]
internal sealed class Drawing
{
    [Id(0)] public List<Shape> Shapes { get; set; } = [];
    [Id(1)] public object? Anything { get; set; }
    [Id(2)] public INamed? Named { get; set; }
    [Id(3)] public Drawing? Next { get; set; }
    [Id(4)] public (int A, string? B) Tuple { get; set; }
    [Id(5)] public IReadOnlyDictionary<string, Shape>? ByName { get; set; }
}

internal interface INamed
{
    string Name { get; }
}

[GenerateSerializer]
internal sealed record Named(string Name) : INamed;

[Immutable]
[GenerateSerializer]
internal sealed class Frozen
{
    [Id(0)] public List<int> Items { get; set; } = [];
}

[GenerateSerializer]
internal sealed record Tree(int Value, ImmutableList<Tree> Children);

[GenerateSerializer]
internal sealed record WithList(List<int> Items);

[GenerateSerializer]
internal sealed class Strict
{
    [Id(0)] public required string Name { get; set; }
    [Id(1)] public int Age { get; }

    private Strict()
    {
    }

    [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
    public Strict(string name, int age) => (Name, Age) = (name, age);
}

[GenerateSerializer]
internal sealed class OverdrawnException(string message, int missing) : Exception(message)
{
    [Id(0)] public int Missing { get; } = missing;
}

internal sealed class Unmarked
{
    public int X { get; set; }
}
