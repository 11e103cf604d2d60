namespace Polyjuice.Policies;

/// <summary>Compiles a policy document against the sites that a process has seen. Immutable and thread-safe.</summary>
internal sealed class DocumentPolicy : IPolicyCompiler
{
    private readonly IPolicyRule? _rule;

    /// <summary>A policy that follows a document.</summary>
    /// <exception cref="ArgumentException">The document names a rule that does not exist.</exception>
    public DocumentPolicy(PolicyDocument document)
    {
        Document = document;
        _rule = PolicyRules.Find(document.Rule);
    }

    /// <summary>What it follows.</summary>
    public PolicyDocument Document { get; }

    /// <inheritdoc/>
    public string Name => Document.Name;

    /// <summary>
    /// Compiles. A site's row is the document's; else its type's default row; else what the rule says; else the
    /// document's default row. Sites stand where the catalogue puts them, and in the order of first sight if it lacks
    /// their type; a site that the catalogue lacks although it lists the type has no position.
    /// </summary>
    public PolicyTable Compile(SiteRegistry registry, int version)
    {
        var builder = new PolicyTableBuilder(registry, Document.Name);
        var types = registry.Types.Take(builder.TypeCount).ToArray();

        // The registry may have grown between the builder's two looks; what
        // belongs to a type that it does not cover is left for the next time.
        var sites = builder.Sites.Where(site => site.TypeId < types.Length).ToArray();
        var shape = WorkloadShape.Of(Document.Catalogue, types, sites);
        var rows = new EffectiveRows(Document, _rule, shape);
        var waits = new ushort[types.Length + 1];

        foreach (var site in sites)
        {
            var type = shape.Find(site.Key.Type)!;
            var known = type.Find(site.Key.Name)!;
            var cells = rows.Of(type, known);
            builder.SetRow(site.Id, cells.Actions, Compile(cells.EffectiveWaits));
            if (cells.Heat is { } heat) builder.SetHotRow(site.Id, heat.Actions, Compile(heat.EffectiveWaits));
            builder.SetPosition(site.Id, known.Position, known.Loop || site.IsRepeated);
        }

        for (var t = 0; t <= types.Length; t++)
        {
            var cells = rows.DefaultOf(t < types.Length ? types[t] : null);
            builder.SetDefault(t, cells.Actions, Compile(cells.EffectiveWaits));
            if (cells.Heat is { } heat) builder.SetHotDefault(t, heat.Actions, Compile(heat.EffectiveWaits));
            builder.SetAdmission(t, Document.AdmissionOf(t < types.Length ? types[t] : null));
            SetBackoff(
                builder,
                t,
                t < types.Length ? Document.BackoffOf(types[t]) : Document.Backoff ?? PolicyBackoff.Binary);
        }

        var table = builder.Build(version);
        if (Document.Rule == PolicyRules.Chosen) TableChoices.Add(table, ChoiceModel.Shipped, registry);
        return table;

        ushort[] Compile(PolicyWaits row)
        {
            for (var t = 0; t < types.Length; t++) waits[t] = Number(row[types[t]], shape.Find(types[t])!);
            waits[types.Length] = row.Rest == WaitCell.Sealed ? PolicyTable.UntilSealed : PolicyTable.NoWait;
            return waits;
        }
    }

    /// <summary>
    /// The same policy with every row spelled out, for everything that its catalogue and a registry know. Sites that
    /// the catalogue lacks are appended to it, which makes another version of it.
    /// </summary>
    public PolicyDocument Materialize(SiteRegistry? registry = null)
    {
        var sites = registry?.Sites ?? [];
        var shape = WorkloadShape.Of(Document.Catalogue, registry?.Types ?? [], sites);
        var rows = new EffectiveRows(Document, _rule, shape);
        var catalogue = new SiteCatalogue
        {
            Version = Document.Catalogue.Version, Types = [.. shape.Types.Select(Describe)]
        };
        if (catalogue != Document.Catalogue) catalogue = catalogue with { Version = catalogue.Version + 1 };
        return Document with
        {
            Rule = PolicyRules.Uniform,
            Groups = [],
            Catalogue = catalogue,
            Default = rows.DefaultOf(null),
            Types = shape.Types.Select(type => new TypePolicy
            {
                Type = type.Name,
                Admission = Document.AdmissionOf(type.Name),
                Backoff = Document.Find(type.Name)?.Backoff,
                Default = Document.Find(type.Name)?.Default,
                Rows = ValueList.Of(
                    type.Sites.Concat(type.Unlisted).Select(site => new SiteRow(site.Name, rows.Of(type, site)))),
            }).ToArray(),
        };
    }

    private static CatalogueType Describe(ShapeType type) => new()
    {
        Name = type.Name,
        Sites = ValueList.Of(
            type.Sites.Concat(type.Unlisted)
                .Select(site => new CatalogueSite(site.Name, site.State, site.Kind, site.Loop))),
    };

    private static ushort Number(WaitCell cell, ShapeType type)
    {
        if (cell.Until == WaitUntil.No) return PolicyTable.NoWait;
        if (cell.Until == WaitUntil.Sealed) return PolicyTable.UntilSealed;
        var position = type.Find(cell.Site!)?.Position ?? PolicyTable.UnknownPosition;
        if (position == PolicyTable.UnknownPosition)
            throw new InvalidOperationException(
                $"A wait names the site \"{cell.Site}\", which \"{type.Name}\" does not have.");
        return (ushort)(position + 1);
    }

    private static void SetBackoff(PolicyTableBuilder builder, int type, PolicyBackoff backoff)
    {
        for (var aborts = 0; aborts < 3; aborts++)
        {
            builder.SetBackoff(type, committed: true, aborts, backoff.Committed[aborts]);
            builder.SetBackoff(type, committed: false, aborts, backoff.Aborted[aborts]);
        }
    }
}
