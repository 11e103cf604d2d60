using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;

namespace Polyjuice.CommandLine;

/// <summary>The searches for tables, and what they search for, as people name them.</summary>
internal static class TableSearches
{
    /// <summary>All searches, the default first.</summary>
    public static IReadOnlyList<ITableSearch> All { get; } =
    [
        new SurrogateSearch(), SurrogateSearch.WithForest, new EvolutionarySearch(), new GradientSearch()
    ];

    /// <summary>Searches by name, separated by commas.</summary>
    /// <exception cref="CommandInputException">There is none of a name.</exception>
    public static IReadOnlyList<ITableSearch> Named(
        string names,
        string option) => [.. CommandInput.Parts(names, option).Distinct()
            .Select(name => All.FirstOrDefault(one => one.Name == name)
            ?? throw new CommandInputException(
                $"{option}: \"{name}\" is not one of {string.Join(", ", All.Select(one => one.Name))}."))];

    /// <summary>What to search for.</summary>
    /// <exception cref="CommandInputException">
    /// There is no such objective, or the bound is missing or too many.
    /// </exception>
    public static ScoreObjective Objective(
        string objective, string? p99, string option, string p99Option) => objective switch
    {
        "throughput" when p99 is null => ScoreObjective.Throughput,
        "throughput" => throw new CommandInputException($"{p99Option} is for {option} p99-bounded."),
        "p99-bounded" when p99 is not null =>
            new ScoreObjective((long)(CommandInput.Number(p99, p99Option, 0.001, 600_000) * 1_000)),
        "p99-bounded" => throw new CommandInputException($"{option} p99-bounded needs {p99Option}."),
        _ => throw new CommandInputException($"{option}: \"{objective}\" is not one of throughput, p99-bounded."),
    };
}
