using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Running;

/// <summary>
/// Reads what people type of measurements. Everything wrong is said in one sentence that lists what is valid.
/// </summary>
public static class BenchmarkInput
{
    /// <summary>Skews, separated by commas.</summary>
    /// <exception cref="CommandInputException">One is not a number from 0 to 10.</exception>
    public static IReadOnlyList<double> Thetas(string text) =>
        [.. CommandInput.Parts(text, "--theta").Select(part => CommandInput.Number(part, "--theta", 0, 10)).Distinct()];

    /// <summary>Numbers of clients, separated by commas.</summary>
    /// <exception cref="CommandInputException">One is not a whole number from 1 to 100,000.</exception>
    public static IReadOnlyList<int> ClientCounts(string text) =>
        [
            .. CommandInput.Parts(text, "--clients")
            .Select(static part => CommandInput.Whole(part, "--clients", 1, 100_000)).Distinct()
        ];

    /// <summary>A workload by name.</summary>
    /// <exception cref="CommandInputException">There is none of that name.</exception>
    public static WorkloadDefinition Workload(WorkloadCatalogue catalogue, string name) => catalogue.Find(name)
        ?? throw new CommandInputException(
            $"There is no workload \"{name}\". Valid: {string.Join(", ", catalogue.All.Select(w => w.Name))}.");
}
