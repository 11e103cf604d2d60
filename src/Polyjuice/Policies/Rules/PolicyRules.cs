namespace Polyjuice.Policies;

/// <summary>The rules that policy files can name.</summary>
internal static class PolicyRules
{
    /// <summary>No generated rows: every site has the default row.</summary>
    public const string Uniform = "uniform";

    /// <summary>
    /// Pipelines within groups of types, and locks between them; see <see cref="PolicyDocument.Groups"/>.
    /// </summary>
    public const string Callas = "callas";

    /// <summary>
    /// One of several built-in policies, which the nodes choose while they run; see <see cref="ChoiceModel"/>.
    /// </summary>
    public const string Chosen = "chosen";

    private static readonly IPolicyRule[] Generated =
    [
        Ic3Rule.Pieces, Ic3Rule.Eager, CallasRule.Instance, KindRule.Sundial, KindRule.Mvtso
    ];

    /// <summary>All of them.</summary>
    public static IReadOnlyList<string> Names { get; } = [Uniform, .. Generated.Select(rule => rule.Name), Chosen];

    /// <summary>
    /// The rule that generates rows under that name, or <see langword="null"/> for those that generate none.
    /// </summary>
    internal static IPolicyRule? Find(string? name) => name is null or Uniform or Chosen
        ? null
        : Array.Find(Generated, rule => rule.Name == name)
          ?? throw new ArgumentException(
              $"There is no rule \"{name}\". Known: {string.Join(", ", Names)}.", nameof(name));
}
