using Polyjuice.Policies;

namespace Polyjuice.Lab.Experiments.Sweeps;

/// <summary>A table with one kind of action taken away everywhere.</summary>
/// <param name="name">What reports call it.</param>
/// <param name="whole">The table.</param>
/// <param name="removed">Actions that no row has any more.</param>
/// <param name="waitOf">What becomes of a wait cell; <see langword="null"/> leaves it.</param>
internal sealed class FactorTable(
    string name, IPolicyCompiler whole, PolicyActions removed, Func<ushort, ushort>? waitOf = null) : IPolicyCompiler
{
    /// <inheritdoc/>
    public string Name => name;

    /// <summary>
    /// The table, and the table without each kind of action (the Polyjuice paper, fig. 6, which adds them instead).
    /// </summary>
    public static IReadOnlyList<IPolicyCompiler> Factors(IPolicyCompiler whole)
    {
        ArgumentNullException.ThrowIfNull(whole);
        return
        [
            whole,
            // Waiting for a site becomes waiting for the end, which is what coarse-grained means.
            new FactorTable(
                $"{whole.Name}, waits until sealed",
                whole,
                PolicyActions.None,
                cell => cell == PolicyTable.NoWait ? cell : PolicyTable.UntilSealed),
            new FactorTable($"{whole.Name}, no waits", whole, PolicyActions.WaitForHolders, _ => PolicyTable.NoWait),
            new FactorTable($"{whole.Name}, clean reads", whole, PolicyActions.ReadDirty),
            new FactorTable($"{whole.Name}, private writes", whole, PolicyActions.WritePublic),
            new FactorTable($"{whole.Name}, late validation", whole, PolicyActions.EarlyValidation),
        ];
    }

    /// <inheritdoc/>
    public PolicyTable Compile(SiteRegistry registry, int version)
    {
        var table = whole.Compile(registry, version);
        var builder = new PolicyTableBuilder(registry, name);
        foreach (var site in builder.Sites)
        {
            builder.SetRow(
                site.Id, Actions(table.RowOf(site.Id, site.TypeId)), Waits(table.RowOf(site.Id, site.TypeId)));
            if (table.HasHeat)
                builder.SetHotRow(
                    site.Id,
                    Actions(table.HotRowOf(site.Id, site.TypeId)),
                    Waits(table.HotRowOf(site.Id, site.TypeId)));
            builder.SetPosition(site.Id, table.PositionOf(site.Id), table.IsLoop(site.Id));
        }

        for (var type = 0; type <= builder.TypeCount; type++)
        {
            // No registry has a site of that number, so these are the type's default rows.
            builder.SetDefault(type, Actions(table.RowOf(int.MaxValue, type)), Waits(table.RowOf(int.MaxValue, type)));
            if (table.HasHeat)
                builder.SetHotDefault(
                    type, Actions(table.HotRowOf(int.MaxValue, type)), Waits(table.HotRowOf(int.MaxValue, type)));
            builder.SetAdmission(type, table.AdmissionOf(type));
            for (var prior = 0; prior < 3; prior++)
            {
                builder.SetBackoff(type, committed: true, prior, table.BackoffMultiplier(type, committed: true, prior));
                builder.SetBackoff(
                    type, committed: false, prior, table.BackoffMultiplier(type, committed: false, prior));
            }
        }

        return builder.Build(version);

        PolicyActions Actions(PolicyRow row) => row.Actions & ~removed;

        ushort[] Waits(PolicyRow row) =>
            [
                .. Enumerable.Range(0, builder.TypeCount + 1)
                .Select(type => waitOf is null ? table.WaitOf(row, type) : waitOf(table.WaitOf(row, type)))
            ];
    }
}
