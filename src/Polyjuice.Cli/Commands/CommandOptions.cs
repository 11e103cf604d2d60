using System.CommandLine;
using Polyjuice.Benchmarking.Running;

namespace Polyjuice.Cli.Commands;

/// <summary>Options as most commands have them: read as text, and checked by the command, which says what is valid.</summary>
internal static class CommandOptions
{
    /// <summary>One that always has a value.</summary>
    public static Option<string> Text(string name, string defaultValue, string description) =>
        new(name) { Description = description, DefaultValueFactory = _ => defaultValue };

    /// <summary>One that may be left out.</summary>
    public static Option<string?> Optional(string name, string description) => new(name) { Description = description };

    /// <summary>A whole number.</summary>
    /// <exception cref="ArgumentException">It is none, or out of its bounds; the message names the option.</exception>
    public static int Whole(this ParseResult parsed, Option<string> option, int least, int most) => BenchmarkInput.Whole(parsed.GetValue(option)!, option.Name, least, most);

    /// <summary>A number.</summary>
    /// <exception cref="ArgumentException">As <see cref="Whole"/>.</exception>
    public static double Number(this ParseResult parsed, Option<string> option, double least, double most) => BenchmarkInput.Number(parsed.GetValue(option)!, option.Name, least, most);

    /// <summary>Milliseconds, of 0 to 10,000.</summary>
    /// <exception cref="ArgumentException">As <see cref="Whole"/>.</exception>
    public static TimeSpan Milliseconds(this ParseResult parsed, Option<string> option) => TimeSpan.FromMilliseconds(parsed.Number(option, 0, 10_000));

    /// <summary>A time with its unit.</summary>
    /// <exception cref="ArgumentException">As <see cref="Whole"/>.</exception>
    public static TimeSpan Duration(this ParseResult parsed, Option<string> option) => BenchmarkInput.Duration(parsed.GetValue(option)!, option.Name);
}
