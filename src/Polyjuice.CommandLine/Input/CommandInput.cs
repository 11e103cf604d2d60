using System.Globalization;
using Polyjuice.Policies;

namespace Polyjuice.CommandLine;

/// <summary>Reads what people type. Everything wrong is said in one sentence that lists what is valid.</summary>
internal static class CommandInput
{
    /// <summary>Policies by name or file, separated by commas; "all" stands for every built-in one.</summary>
    /// <param name="text">What was typed.</param>
    /// <param name="option">The option that it was typed for.</param>
    /// <exception cref="CommandInputException">One is unknown or not readable.</exception>
    public static IReadOnlyList<IPolicyCompiler> Policies(string text, string option = "--policy")
    {
        var policies = new List<IPolicyCompiler>();
        foreach (var name in Parts(text, option))
        {
            if (name == "all")
            {
                policies.AddRange(BuiltinPolicies.All);
                continue;
            }

            try
            {
                policies.Add(PolicySource.LoadDocument(name));
            }
            catch (ArgumentException e)
            {
                throw new CommandInputException(e.Message.Split(" (Parameter", 2)[0]);
            }
            catch (Exception e) when (e is PolicyFormatException or IOException or UnauthorizedAccessException)
            {
                throw new CommandInputException(e.Message);
            }
        }

        var twice = policies.GroupBy(policy => policy.Name).FirstOrDefault(group => group.Count() > 1);
        if (twice is null) return policies;
        throw new CommandInputException(
            $"{option}: \"{twice.Key}\" is there twice; rows are told apart by the policies' names.");
    }

    /// <summary>A number within bounds.</summary>
    /// <exception cref="CommandInputException">It is not.</exception>
    public static double Number(string text, string option, double least, double most) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && value >= least
            && value <= most
            ? value
            : throw new CommandInputException(
                string.Create(
                    CultureInfo.InvariantCulture, $"{option}: \"{text}\" is not a number from {least} to {most}."));

    /// <summary>A whole number within bounds.</summary>
    /// <exception cref="CommandInputException">It is not.</exception>
    public static int Whole(string text, string option, int least, int most) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value) && value >= least
            && value <= most
            ? value
            : throw new CommandInputException($"{option}: \"{text}\" is not a whole number from {least} to {most}.");

    /// <summary>A time as people type it: "90s", "10m", "1.5h".</summary>
    /// <exception cref="CommandInputException">It is none, or not above 0 and at most a week.</exception>
    public static TimeSpan Duration(string text, string option)
    {
        ArgumentNullException.ThrowIfNull(text);
        var seconds = text.Length == 0 ? 0 : text[^1] switch { 's' => 1, 'm' => 60, 'h' => 3_600, _ => 0 };
        if (seconds > 0 && double.TryParse(text[..^1], NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            && number > 0 && number * seconds <= 7 * 86_400)
            return TimeSpan.FromSeconds(number * seconds);
        throw new CommandInputException($"{option}: \"{text}\" is no time of at most a week. Write 90s, 10m or 1.5h.");
    }

    /// <summary>
    /// A file that is going to be written: what cannot be must be known before the minutes, not after.
    /// </summary>
    /// <exception cref="CommandInputException">
    /// It does not end as it should, its folder is not there, or it is a folder itself.
    /// </exception>
    public static string OutputFile(string path, string extension, string option)
    {
        if (Path.GetExtension(path) != extension)
            throw new CommandInputException($"{option}: \"{path}\" does not end in {extension}.");
        var folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        if (!Directory.Exists(folder)) throw new CommandInputException($"{option}: there is no folder {folder}.");
        if (Directory.Exists(path)) throw new CommandInputException($"{option}: {path} is a folder.");
        return path;
    }

    /// <summary>What commas separate, without white space.</summary>
    /// <exception cref="CommandInputException">There is nothing.</exception>
    public static string[] Parts(string text, string option)
    {
        var parts = text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        return parts.Length > 0
            ? parts
            : throw new CommandInputException($"{option}: a list separated by commas is missing.");
    }
}

/// <summary>Something typed is not valid; the message is for the person who typed it.</summary>
internal sealed class CommandInputException(string message) : ArgumentException(message);
