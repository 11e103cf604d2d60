using System.CommandLine;

namespace Polyjuice.Cli.Commands;

/// <summary>Options as most commands have them: read as text, and checked by the command, which says what is valid.</summary>
internal static class CommandOptions
{
    /// <summary>One that always has a value.</summary>
    public static Option<string> Text(string name, string defaultValue, string description) =>
        new(name) { Description = description, DefaultValueFactory = _ => defaultValue };

    /// <summary>One that may be left out.</summary>
    public static Option<string?> Optional(string name, string description) => new(name) { Description = description };
}
