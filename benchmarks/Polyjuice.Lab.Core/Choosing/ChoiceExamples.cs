using Polyjuice.Agents;

namespace Polyjuice.Lab.Choosing;

/// <summary>
/// What a model of choices learns from: loads, the features that
/// were seen under each table, and what each table made of them.
/// </summary>
internal sealed class ChoiceExamples
{
    private ChoiceExamples(IReadOnlyList<string> tables, IReadOnlyList<ChoiceSetting> settings) =>
        (Tables, Settings) = (tables, settings);

    /// <summary>The tables that every setting was measured under, in the order of the measurements.</summary>
    public IReadOnlyList<string> Tables { get; }

    /// <summary>The loads.</summary>
    public IReadOnlyList<ChoiceSetting> Settings { get; }

    /// <summary>Of measurements. A round that did not have all tables is left out.</summary>
    /// <param name="file">The measurements.</param>
    /// <param name="tables">The tables to choose among; all that were measured, if there are none.</param>
    public static ChoiceExamples Of(ChoiceMeasurements file, IReadOnlyList<string> tables)
    {
        ArgumentNullException.ThrowIfNull(file);
        if (tables.Count == 0) tables = [.. file.Measurements.Select(one => one.Table).Distinct()];
        var order = LoadCounts.Names.Select(name => file.Counts.ToList().IndexOf(name)).ToArray();
        var settings = new List<ChoiceSetting>();
        foreach (var load in file.Measurements.GroupBy(one => one.Setting))
        {
            // A load that was drawn twice has twice as many rounds.
            var byTable = load.ToLookup(one => one.Table);
            var count = tables.Min(table => byTable[table].Count());
            if (count == 0) continue;
            var rounds = Enumerable.Range(0, count)
                .Select(i => tables.ToDictionary(table => table, table => byTable[table].ElementAt(i))).ToList();

            // What the machine does besides changes from round to round,
            // and less within one: so ratios are taken within rounds.
            var relative = tables.Select(
                table => rounds.Average(
                    round => Math.Log(round[table].Rate) - tables.Max(one => Math.Log(round[one].Rate))))
                .ToArray();
            var best = relative.Max();
            settings.Add(new(
                load.First().Workload, load.Key, [.. relative.Select(one => one - best)],
                [.. rounds.Select(round => tables.Select((table, i) => FeaturesOf(round[table], i)).ToArray())]));
        }

        return new(tables, settings);

        float[] FeaturesOf(ChoiceMeasurement one, int table) => LoadFeatures.Of(
            LoadCounts.Of([.. order.Select(at => at < 0 ? 0 : one.Counts[at])]), (long)(one.Seconds * 1e6), one.Silos,
            table, tables.Count);
    }
}

/// <summary>A load.</summary>
/// <param name="Workload">Its workload.</param>
/// <param name="Text">What it is.</param>
/// <param name="Relative">By table: the logarithm of its throughput relative to the best one's.</param>
/// <param name="Features">By round and by table in force: what was seen.</param>
internal sealed record ChoiceSetting(
    string Workload, string Text, IReadOnlyList<double> Relative, IReadOnlyList<IReadOnlyList<float[]>> Features);
