using Polyjuice.Policies;

namespace Polyjuice.Lab.Choosing;

/// <summary>What a choice makes of the best table's throughput.</summary>
/// <param name="Setting">Of which load.</param>
/// <param name="Chosen">The table that was chosen.</param>
/// <param name="Share">What it makes of the best one's throughput, up to 1.</param>
internal sealed record ChoiceRegret(ChoiceSetting Setting, string Chosen, double Share)
{
    /// <summary>A choice is made again under the table that was chosen, so many times at the most.</summary>
    private const int Steps = 3;

    private const int PartsMax = 20;

    /// <summary>A better guess by less is none to change the table for.</summary>
    private const double Margin = 0.12;

    /// <summary>What a model chooses for workloads that it was not trained on: each is left out in turn.</summary>
    public static IReadOnlyList<ChoiceRegret> LeaveOneOut(ChoiceExamples examples) =>
    [
        .. Parts(examples).SelectMany(left =>
        {
            var model = ChoiceFit.Fit(examples.Tables, [.. examples.Settings.Except(left)]);
            return left.SelectMany(setting => Of(model, examples.Tables, setting));
        }),
    ];

    /// <summary>What a model chooses for other loads than those that it was trained on.</summary>
    /// <param name="trained">Those.</param>
    /// <param name="others">The others, under the same tables.</param>
    public static IReadOnlyList<ChoiceRegret> OfOthers(ChoiceExamples trained, ChoiceExamples others)
    {
        var model = ChoiceFit.Fit(trained.Tables, trained.Settings);
        return [.. others.Settings.SelectMany(setting => Of(model, trained.Tables, setting))];
    }

    /// <summary>What one table makes.</summary>
    public static IReadOnlyList<ChoiceRegret> OfTable(ChoiceExamples examples, string table)
    {
        var index = examples.Tables.ToList().IndexOf(table);
        return [
            .. examples.Settings.Select(setting => new ChoiceRegret(setting, table, Math.Exp(setting.Relative[index])))
        ];
    }

    /// <summary>A workload each; or, of many small ones, a tenth of them.</summary>
    private static IEnumerable<IReadOnlyList<ChoiceSetting>> Parts(ChoiceExamples examples)
    {
        var workloads = examples.Settings.GroupBy(setting => setting.Workload).ToList();
        return workloads.Count <= PartsMax
            ? workloads.Select(workload => (IReadOnlyList<ChoiceSetting>)[.. workload])
            : workloads.Select((workload, i) => (workload, i)).GroupBy(one => one.i % (PartsMax / 2))
                .Select(part => (IReadOnlyList<ChoiceSetting>)[.. part.SelectMany(one => one.workload)]);
    }

    /// <summary>What a model chooses in each round, from the first table on.</summary>
    private static IEnumerable<ChoiceRegret> Of(
        ChoiceModel model, IReadOnlyList<string> tables, ChoiceSetting setting) =>
        setting.Features.Select(round =>
        {
            var current = 0;
            for (var step = 0; step < Steps; step++)
            {
                var guesses = model.Guess(round[current]);
                var best = Array.IndexOf(guesses, guesses.Max());
                if (guesses[best] > guesses[current] + Margin) current = best;
            }

            return new ChoiceRegret(setting, tables[current], Math.Exp(setting.Relative[current]));
        });
}
