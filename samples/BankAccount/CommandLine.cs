using System.Globalization;

namespace BankAccount;

/// <summary>The sample's command line.</summary>
internal sealed record CommandLine
{
    public const string Help = """
        Customers who send each other money, each transfer a transaction over two grains.

          dotnet run -c Release --project samples/BankAccount -- [options]

          --customers N     customers at the cash machines at a time, 1 to 1,000   (default: 3)
          --transfers N     ends after so many transfers                           (default: at Ctrl-C)
          --pause S         seconds that a customer thinks between two, 0 to 60    (default: 0.5)
          --seed N          of all random choices                                  (default: 1)
          --help            this text

        Exit code 1 when money was lost or made.
        """;

    public bool IsHelp { get; private init; }

    public int Customers { get; private init; } = 3;

    /// <summary>None: until somebody ends it.</summary>
    public int? Transfers { get; private init; }

    public TimeSpan Pause { get; private init; } = TimeSpan.FromSeconds(0.5);

    public int Seed { get; private init; } = 1;

    /// <exception cref="FormatException">
    /// Something is not valid; the message is for the person who typed it.
    /// </exception>
    public static CommandLine Parse(IReadOnlyList<string> args)
    {
        var line = new CommandLine();
        for (var i = 0; i < args.Count; i++)
        {
            var name = args[i];
            if (name is "--help" or "-h" or "-?") return new CommandLine { IsHelp = true };
            if (name is not ("--customers" or "--transfers" or "--pause" or "--seed"))
                throw new FormatException(
                    $"There is no option \"{name}\". Valid: --customers, --transfers, --pause, --seed, --help.");
            var value = ++i < args.Count ? args[i] : throw new FormatException($"{name}: a number is missing.");
            line = name switch
            {
                "--customers" => line with { Customers = (int)Number(name, value, 1, 1_000, NumberStyles.None) },
                "--transfers" => line with { Transfers = (int)Number(name, value, 1, int.MaxValue, NumberStyles.None) },
                "--pause" => line with
                {
                    Pause = TimeSpan.FromSeconds(Number(name, value, 0, 60, NumberStyles.AllowDecimalPoint))
                },
                _ => line with { Seed = (int)Number(name, value, 0, int.MaxValue, NumberStyles.None) },
            };
        }

        return line;
    }

    private static double Number(string option, string text, double least, double most, NumberStyles styles) =>
        double.TryParse(text, styles, CultureInfo.InvariantCulture, out var number) && number >= least && number <= most
            ? number
            : throw new FormatException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{option}: \"{text}\" is not a {(styles == NumberStyles.None ? "whole " : "")}number from {least} "
                    + $"to {most}."));
}
