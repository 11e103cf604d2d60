using System.CommandLine;

namespace Polyjuice.CommandLine;

/// <summary>
/// Options as most commands have them: read as text, and checked by the command, which says what is valid.
/// </summary>
internal static class CommandOptions
{
    /// <summary>One that always has a value.</summary>
    public static Option<string> Text(string name, string defaultValue, string description) =>
        new(name) { Description = description, DefaultValueFactory = _ => defaultValue };

    /// <summary>One that may be left out.</summary>
    public static Option<string?> Optional(string name, string description) => new(name) { Description = description };

    /// <summary>
    /// How an interval ends by what was done in it: then it has that much, however busy the machine is elsewhere.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="instead">The option whose time it replaces.</param>
    public static Option<string?> Transactions(string name, string instead) =>
        Optional(
            name,
            $"Ends an interval after so many transactions instead of by {instead}, without a warm-up: not to measure, "
            + "but to have that many, however busy the machine is elsewhere.");

    /// <summary>What <see cref="Transactions"/> says; <see langword="null"/> if it was left out.</summary>
    /// <exception cref="ArgumentException">As <see cref="Whole"/>.</exception>
    public static long? TransactionsOrNone(this ParseResult parsed, Option<string?> option) =>
        parsed.WholeOrNone(option, 1, int.MaxValue);

    /// <summary>A whole number.</summary>
    /// <exception cref="ArgumentException">It is none, or out of its bounds; the message names the option.</exception>
    public static int Whole(this ParseResult parsed, Option<string> option, int least, int most) =>
        CommandInput.Whole(parsed.GetValue(option)!, option.Name, least, most);

    /// <summary>A number.</summary>
    /// <exception cref="ArgumentException">As <see cref="Whole"/>.</exception>
    public static double Number(this ParseResult parsed, Option<string> option, double least, double most) =>
        CommandInput.Number(parsed.GetValue(option)!, option.Name, least, most);

    /// <summary>Milliseconds, of 0 to 10,000.</summary>
    /// <exception cref="ArgumentException">As <see cref="Whole"/>.</exception>
    public static TimeSpan Milliseconds(this ParseResult parsed, Option<string> option) =>
        TimeSpan.FromMilliseconds(parsed.Number(option, 0, 10_000));

    /// <summary>A time with its unit.</summary>
    /// <exception cref="ArgumentException">As <see cref="Whole"/>.</exception>
    public static TimeSpan Duration(this ParseResult parsed, Option<string> option) =>
        CommandInput.Duration(parsed.GetValue(option)!, option.Name);

    /// <summary>A whole number; <see langword="null"/> if it was left out.</summary>
    /// <exception cref="ArgumentException">As <see cref="Whole"/>.</exception>
    public static int? WholeOrNone(this ParseResult parsed, Option<string?> option, int least, int most) =>
        parsed.GetValue(option) is { } text ? CommandInput.Whole(text, option.Name, least, most) : null;

    /// <summary>A number; <see langword="null"/> if it was left out.</summary>
    /// <exception cref="ArgumentException">As <see cref="Whole"/>.</exception>
    public static double? NumberOrNone(this ParseResult parsed, Option<string?> option, double least, double most) =>
        parsed.GetValue(option) is { } text ? CommandInput.Number(text, option.Name, least, most) : null;

    /// <summary>A time with its unit; <see langword="null"/> if it was left out.</summary>
    /// <exception cref="ArgumentException">As <see cref="Whole"/>.</exception>
    public static TimeSpan? DurationOrNone(this ParseResult parsed, Option<string?> option) =>
        parsed.GetValue(option) is { } text ? CommandInput.Duration(text, option.Name) : null;
}
