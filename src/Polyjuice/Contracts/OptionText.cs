using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Reflection;

namespace Polyjuice.Contracts;

/// <summary>What is said of options and keys of a configuration that can't be used.</summary>
internal static class OptionText
{
    /// <summary>
    /// A text for each option that is out of its bounds: its name, its value, and the bounds. Values of members
    /// without bounds are not in it, because they may be secrets.
    /// </summary>
    /// <param name="options">The options.</param>
    /// <param name="owner">What stands before each name; by default the options' type and a dot.</param>
    /// <returns>None, if all are within their bounds.</returns>
    public static IReadOnlyList<string> Problems(object options, string? owner = null)
    {
        var results = new List<ValidationResult>();
        Validator.TryValidateObject(options, new ValidationContext(options), results, validateAllProperties: true);
        return [.. results.Select(result => Problem(options, owner ?? $"{options.GetType().Name}.", result))];
    }

    /// <summary>That a key of a configuration is no option, and which there are.</summary>
    /// <param name="key">The key's path.</param>
    /// <param name="section">The path of the section that it is in.</param>
    /// <param name="known">Keys that are read there.</param>
    public static string Unread(string key, string section, IEnumerable<string> known) =>
        $"The configuration has '{key}', and nothing reads that. Known in '{section}': "
        + $"{string.Join(", ", known.Order(StringComparer.Ordinal))}.";

    // Attributes say what an option must be; what it is is said here.
    private static string Problem(object options, string owner, ValidationResult result)
    {
        var names = result.MemberNames.Select(name =>
            options.GetType().GetProperty(name) is { } member && member.IsDefined(typeof(ValidationAttribute))
                ? string.Create(
                    CultureInfo.InvariantCulture, $"{owner}{name} is {member.GetValue(options) ?? "nothing"}:")
                : $"{owner}{name}:");
        return string.Join(" ", names.Append(result.ErrorMessage ?? "That is not valid."));
    }
}
