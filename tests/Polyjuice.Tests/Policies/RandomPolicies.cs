using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies;

/// <summary>Makes policies at random, from a seed that a failing property prints.</summary>
internal static class RandomPolicies
{
    private static readonly int[] Multipliers = [0, 1, 2, 4, 8];

    public static PolicyDocument Document(int seed)
    {
        var random = new Random(seed);
        var catalogue = Catalogue(random);
        var types = new List<TypePolicy>();
        foreach (var type in catalogue.Types)
        {
            if (random.Next(5) == 0) continue;
            types.Add(new TypePolicy
            {
                Type = type.Name,
                Admission = Admission(random),
                Backoff = random.Next(2) == 0 ? null : Backoff(random),
                Default = random.Next(3) == 0 ? Cells(random, catalogue) : null,
                Rows =
                [
                    .. type.Sites.Where(_ => random.Next(3) > 0)
                    .Select(site => new SiteRow(site.Name, Cells(random, catalogue)))
                ],
            });
        }

        var rule = random.Next(3) switch
        {
            0 => null, 1 => PolicyRules.Uniform, _ => PolicyRules.Names[random.Next(PolicyRules.Names.Count)]
        };
        return new PolicyDocument
        {
            Name = $"random \"{seed}\"",
            Description = random.Next(2) == 0 ? "" : "Zeile 1\nline 2 > é \\ \u2026",
            Rule = rule,
            Groups = rule == PolicyRules.Callas && catalogue.Types.Count > 0
                ? [new TypeGroup { Types = [.. catalogue.Types.Take(2).Select(type => type.Name)] }]
                : [],
            Provenance =
            [
                .. Enumerable.Range(0, random.Next(3))
                .Select(i => new KeyValuePair<string, string>($"key {i}", $"value {random.Next()}"))
            ],
            ArtifactBufferSize = random.Next(2) == 0 ? null : random.Next(20),
            Catalogue = catalogue,
            Admission = Admission(random),

            // Always there: without it, a type that was skipped above would be refused.
            Default = Cells(random, catalogue),
            Backoff = random.Next(2) == 0 ? null : Backoff(random),
            Types = types,
        };
    }

    public static SiteCatalogue Catalogue(Random random)
    {
        var types = Enumerable.Range(0, random.Next(4)).Select(t => new CatalogueType
        {
            Name = $"IType{t}.Run",
            Sites =
            [
                .. Enumerable.Range(0, random.Next(6)).Select(s => Key(random, t, s))
                .Select(key => new CatalogueSite(key.Name, key.State, key.Kind, random.Next(4) == 0))
            ],
        });
        return types.ToArray() is { Length: > 0 } some
            ? new SiteCatalogue { Version = random.Next(1, 5), Types = some }
            : SiteCatalogue.Empty;
    }

    /// <summary>
    /// The key of a site; a catalogue that holds a site of that number
    /// has one with the same path and label, perhaps of another kind.
    /// </summary>
    public static SiteKey Key(Random random, int type, int site) =>
        new(
            $"IType{type}.Run",
            $"IType{type}.Run>IGrain.M{site}",
            $"Grain.state{site % 3}",
            (AccessKind)random.Next(2),
            site % 2 == 0 ? "" : $"label{site}");

    public static PolicyCells Cells(Random random, SiteCatalogue catalogue) => random.Next(2) == 0
        ? Basic(random, catalogue) with
        {
            WaitForHolders = true, HoldersByType = random.Next(2) == 0, Conflict = (HolderConflict)random.Next(3)
        }
        : Basic(random, catalogue);

    private static PolicyCells Basic(Random random, SiteCatalogue catalogue) => new()
    {
        Read = (ReadVersion)random.Next(2),
        Write = (WriteVisibility)random.Next(2),
        EarlyValidation = random.Next(2) == 0,
        WaitsOff = random.Next(4) == 0,
        Waits = new PolicyWaits(
            random.Next(2) == 0 ? WaitCell.No : WaitCell.Sealed,
            catalogue.Types.Where(_ => random.Next(2) == 0)
                .Select(type => new KeyValuePair<string, WaitCell>(type.Name, Wait(random, type)))),
    };

    private static WaitCell Wait(Random random, CatalogueType type) => random.Next(3) switch
    {
        0 => WaitCell.No,
        1 => WaitCell.Sealed,
        _ => type.Sites.Count == 0 ? WaitCell.No : WaitCell.For(type.Sites[random.Next(type.Sites.Count)].Name),
    };

    private static PolicyAdmission? Admission(Random random) =>
        random.Next(3) == 0 ? (PolicyAdmission)random.Next(5) : null;

    private static PolicyBackoff Backoff(Random random) => new(Three(random), Three(random));

    private static int[] Three(Random random) =>
        [.. Enumerable.Range(0, 3).Select(_ => Multipliers[random.Next(Multipliers.Length)])];
}
