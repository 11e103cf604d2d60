using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// A table of random cells: whatever it says, executions stay serializable (I1). A site's cells depend on the seed and
/// the site's name alone, so that a table which is compiled again as sites turn up stays the same.
/// </summary>
internal sealed class RandomPolicy : IPolicyCompiler
{
    private static readonly float[] Multipliers = [0, 0.5f, 1, 2, 4, 8];
    private static readonly PolicyAdmission[] Admissions =
    [
        PolicyAdmission.DryRun, PolicyAdmission.DryRunReserve, PolicyAdmission.DryRunReserve,
        PolicyAdmission.DeclaredReserve, PolicyAdmission.Auto
    ];
    private readonly ulong _seed;
    private readonly double _wait;
    private readonly double _holders;
    private readonly double _dirty;
    private readonly double _public;
    private readonly double _early;
    private readonly double _admission;
    private readonly double _heat;
    private readonly double _conflict;
    private readonly double _byType;

    public RandomPolicy(ulong seed, double? earlyValidation = null)
    {
        _seed = seed;
        var random = new SimulationRandom(SimulationRandom.Mix(seed));
        // Some tables are extreme in a column, as the built-in ones are.
        double Rate() => random.Next(5) switch { 0 => 0, 1 => 1, _ => random.NextDouble() };
        _wait = Rate() * 0.7;
        _holders = Rate() * 0.5;
        _dirty = Rate();
        _public = Rate();
        _early = earlyValidation ?? Rate();

        // A stream of its own: what the other cells are does not depend
        // on it. Two tables of three let everybody in at once.
        var admission = new SimulationRandom(SimulationRandom.Mix(seed ^ 0xAD3155));
        _admission = admission.Chance(0.67) ? 0 : admission.Chance(0.5) ? 1 : admission.NextDouble();

        // The same: two of three make no difference between hot and cold.
        var heat = new SimulationRandom(SimulationRandom.Mix(seed ^ 0x4EA7));
        _heat = heat.Chance(0.67) ? 0 : heat.NextDouble();

        // The same: of three tables one decides conflicts with holders by age, and one looks at their types.
        var conflict = new SimulationRandom(SimulationRandom.Mix(seed ^ 0xD1E));
        _conflict = conflict.Chance(0.67) ? 0 : conflict.Chance(0.5) ? 1 : conflict.NextDouble();
        _byType = conflict.Chance(0.67) ? 0 : conflict.NextDouble();
    }

    public string Name => $"random-{_seed}";

    public PolicyTable Compile(SiteRegistry registry, int version)
    {
        var builder = new PolicyTableBuilder(registry, Name);
        var types = registry.Types;
        foreach (var site in builder.Sites)
        {
            var random = new SimulationRandom(_seed ^ StableHash(site.Key.Type + site.Key.Name));
            var conflict = new SimulationRandom(_seed ^ StableHash(site.Key.Type + site.Key.Name) ^ 0xD1E);
            builder.SetRow(site.Id, Actions(random) | Conflict(conflict), Waits(random, builder, types));
            var heat = new SimulationRandom(_seed ^ StableHash(site.Key.Type + site.Key.Name) ^ 0x4EA7);
            if (heat.Chance(_heat))
                builder.SetHotRow(site.Id, Actions(heat) | Conflict(conflict), Waits(heat, builder, types));
        }

        for (var type = 0; type <= builder.TypeCount; type++)
        {
            var random = new SimulationRandom(_seed ^ StableHash(type < types.Count ? types[type] : "*"));
            var conflict = new SimulationRandom(_seed ^ StableHash(type < types.Count ? types[type] : "*") ^ 0xD1E);
            builder.SetDefault(type, Actions(random) | Conflict(conflict), Waits(random, builder, types));
            for (var aborts = 0; aborts <= 2; aborts++)
            {
                builder.SetBackoff(type, committed: true, aborts, random.Pick(Multipliers));
                builder.SetBackoff(type, committed: false, aborts, random.Pick(Multipliers));
            }

            var heat = new SimulationRandom(_seed ^ StableHash(type < types.Count ? types[type] : "*") ^ 0x4EA7);
            if (heat.Chance(_heat))
                builder.SetHotDefault(type, Actions(heat) | Conflict(conflict), Waits(heat, builder, types));
            var admission = new SimulationRandom(_seed ^ StableHash(type < types.Count ? types[type] : "*") ^ 0xAD3155);
            if (admission.Chance(_admission)) builder.SetAdmission(type, admission.Pick(Admissions));
        }

        return builder.Build(version);
    }

    private static ulong StableHash(string text) => Contracts.StableHash.Of(text);

    private PolicyActions Actions(SimulationRandom random)
    {
        var actions = PolicyActions.None;
        if (random.Chance(_holders)) actions |= PolicyActions.WaitForHolders;
        if (random.Chance(_dirty)) actions |= PolicyActions.ReadDirty;
        if (random.Chance(_public)) actions |= PolicyActions.WritePublic;
        if (random.Chance(_early)) actions |= PolicyActions.EarlyValidation;
        return actions;
    }

    /// <summary>How a row that waits for holders does so; of others without effect.</summary>
    private PolicyActions Conflict(SimulationRandom random)
    {
        var actions = PolicyActions.None;
        if (random.Chance(_conflict)) actions |= random.Chance(0.5) ? PolicyActions.Die : PolicyActions.Wound;
        if (random.Chance(_byType)) actions |= PolicyActions.HoldersByType;
        return actions;
    }

    private ushort[] Waits(SimulationRandom random, PolicyTableBuilder builder, IReadOnlyList<string> types)
    {
        var cells = new ushort[builder.TypeCount + 1];
        for (var type = 0; type < cells.Length; type++)
        {
            var sites = type < types.Count ? builder.Sites.Count(s => s.TypeId == type) : 0;
            if (!random.Chance(_wait)) cells[type] = PolicyTable.NoWait;
            else if (sites == 0 || random.Chance(0.4)) cells[type] = PolicyTable.UntilSealed;
            else cells[type] = (ushort)(1 + random.Next(sites));
        }

        return cells;
    }
}
