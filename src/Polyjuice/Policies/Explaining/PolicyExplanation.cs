namespace Polyjuice.Policies;

/// <summary>
/// A policy in sentences: what it does, where others do something else, and which conflicts it expects. What is the
/// same everywhere is said once, then what is the same at all sites of a type, then the rest by sites that do the same.
/// Of a site it is not said what it does not do: wait, validate early, treat hot participants otherwise. Immutable.
/// </summary>
/// <param name="Name">The policy's name.</param>
/// <param name="Compared">The names of those that it is compared with.</param>
/// <param name="Sections">What there is to say.</param>
internal sealed record PolicyExplanation(
    string Name, IReadOnlyList<string> Compared, IReadOnlyList<ExplainedSection> Sections)
{
    /// <summary>The heading of what the policy expects, which is the last section.</summary>
    public const string ExpectationsHeading = "What it expects";

    /// <summary>Explains a policy.</summary>
    /// <param name="table">
    /// The policy. Without a catalogue there are no sites to speak of, and only that is said.
    /// </param>
    /// <param name="compared">
    /// What it is compared with: what has no catalogue is spelled out over the policy's.
    /// </param>
    /// <param name="ran">
    /// What ran in a recording, if there is one. Types that did not are left out, and what only one side has is named.
    /// </param>
    public static PolicyExplanation Of(
        PolicyDocument table, IReadOnlyList<PolicyDocument> compared, SiteCatalogue? ran = null)
    {
        ArgumentNullException.ThrowIfNull(table);
        ArgumentNullException.ThrowIfNull(compared);
        var catalogue = new DocumentPolicy(table).Materialize().Catalogue;
        var types = catalogue.Types.Where(type =>
            type.Sites.Count > 0 && (ran is null || ran.Find(type.Name) is not null)).ToList();
        var names = new CatalogueNames(catalogue);
        var own = new SpelledTable(table, catalogue, types, names);
        var spelled = compared.Select(other => new SpelledTable(other, catalogue, types, names));
        var others = spelled.Select(other => new ComparedTable(own, other)).ToList();
        var sections = new List<ExplainedSection>();
        if (types.Count > 0)
        {
            sections.Add(new ExplainedSection("Everywhere", CommonSentences.Of(own, others)));
            sections.AddRange(TypeSentences.Of(own, others));
        }

        var unchanged = types.Where(type => TypeSentences.Unchanged(others, type) is not null).ToList();
        var expected = ConflictSentences.Of(own, unchanged).Concat(ran is null ? [] : GapSentences.Of(catalogue, ran));
        sections.Add(new ExplainedSection(ExpectationsHeading, [.. expected]));
        return new PolicyExplanation(table.Name, [.. compared.Select(other => other.Name)], sections);
    }

    /// <summary>The same with more of what the policy expects, such as where it was trained.</summary>
    /// <param name="sentences">What comes behind.</param>
    public PolicyExplanation Expecting(IEnumerable<string> sentences) => this with
    {
        Sections = [.. Sections.Select(section => section.Heading == ExpectationsHeading
            ? section with { Sentences = [.. section.Sentences, .. sentences] }
            : section)],
    };

    /// <summary>The explanation as plain text, wrapped.</summary>
    public string Render()
    {
        var against = Compared.Count == 0 ? "" : $", compared with {Enumeration.And(Compared)}";
        var lines = new List<string> { $"{Name}{against}" };
        foreach (var section in Sections)
        {
            lines.Add("");
            lines.AddRange(WrappedText.Lines(section.Heading, "", ""));
            foreach (var sentence in section.Sentences) lines.AddRange(WrappedText.Lines(sentence, "  ", "    "));
        }

        return string.Join('\n', lines) + "\n";
    }
}

/// <summary>Sentences that belong together.</summary>
/// <param name="Heading">What they are about: a transaction type, or several that do the same.</param>
/// <param name="Sentences">At least one.</param>
internal sealed record ExplainedSection(string Heading, IReadOnlyList<string> Sentences);
