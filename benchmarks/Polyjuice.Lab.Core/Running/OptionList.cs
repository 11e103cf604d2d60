namespace Polyjuice.Lab.Running;

/// <summary>
/// The samples' command lines: options with a value (<c>--name value</c> or <c>--name=value</c>), and switches without.
/// </summary>
/// <param name="names">All options, in the order in which they are listed.</param>
/// <param name="switches">Those that have no value.</param>
public sealed class OptionList(IReadOnlyList<string> names, params IReadOnlyList<string> switches)
{
    /// <summary>Those whose value may be left out: what follows is one, unless it is an option itself.</summary>
    public IReadOnlyList<string> WithOptionalValue { get; init; } = [];

    /// <summary>The option that all have.</summary>
    public const string Help = "--help";

    /// <summary>Whether it asks for help.</summary>
    public static bool AsksForHelp(IEnumerable<string> args) => args.Any(arg => arg is Help or "-h" or "-?");

    /// <summary>
    /// The options that were given with their values, which a switch
    /// has none of, and an option whose value was left out.
    /// </summary>
    /// <exception cref="CommandInputException">There is no such option, or a value is missing.</exception>
    public IEnumerable<(string Name, string Value)> Read(IReadOnlyList<string> args)
    {
        for (var i = 0; i < args.Count; i++)
        {
            var parts = args[i].Split('=', 2);
            var name = parts[0];
            if (!names.Contains(name))
                throw new CommandInputException($"There is no option \"{name}\". Valid: {string.Join(", ", names)}.");
            if (switches.Contains(name)) yield return (name, "");
            else if (WithOptionalValue.Contains(name) && parts.Length == 1
                && (i + 1 == args.Count || args[i + 1].StartsWith('-')))
                yield return (name, "");
            else
                yield return (name, parts.Length == 2
                    ? parts[1]
                    : ++i < args.Count ? args[i] : throw new CommandInputException($"{name}: a value is missing."));
        }
    }
}
