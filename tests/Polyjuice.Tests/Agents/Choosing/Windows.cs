using Polyjuice.Agents;
using Polyjuice.Policies;

namespace Polyjuice.Tests.Agents.Choosing;

/// <summary>Windows of made-up loads, and models that go by one feature.</summary>
internal static class Windows
{
    /// <summary>How long each is, in microseconds.</summary>
    public const long Length = 250_000;

    /// <summary>Sixteen clients, none of which ever pauses.</summary>
    private const long Clients = 16;

    /// <summary>A window.</summary>
    /// <param name="commits">How many commit in it.</param>
    /// <param name="met">The share of accesses that meet others, in percent.</param>
    /// <param name="updates">The share that update.</param>
    /// <param name="accesses">Of an attempt.</param>
    public static LoadCounts Of(long commits, int met = 0, int updates = 50, int accesses = 4)
    {
        var values = new long[LoadCounts.Names.Count];
        values[(int)LoadCount.Commits] = values[(int)LoadCount.Attempts] = commits;
        values[(int)LoadCount.OpenMicroseconds] = Clients * Length;
        values[(int)LoadCount.Accesses] = commits * accesses;
        values[(int)LoadCount.Updates] = commits * accesses * updates / 100;
        values[(int)LoadCount.Met] = commits * accesses * met / 100;
        return LoadCounts.Of(values);
    }

    /// <summary>A model of three tables that guesses the same of all loads.</summary>
    /// <param name="second">How much better than the first (logarithm).</param>
    /// <param name="third">How much better than the first.</param>
    public static ChoiceModel ThatPrefer(double second, double third) => new()
    {
        Features = LoadFeatures.Names(["occ", "locking", "ic3"]),
        Tables =
        [
            new() { Name = "occ", Trees = [] },
            new() { Name = "locking", Bias = second, Trees = [] },
            new() { Name = "ic3", Bias = third, Trees = [] },
        ],
    };
}
