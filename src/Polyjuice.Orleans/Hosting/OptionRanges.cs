using System.ComponentModel.DataAnnotations;
using System.Globalization;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Hosting;

/// <summary>Refuses options that are out of their bounds, by name.</summary>
internal static class OptionRanges
{
    /// <summary>Checks each option that has bounds.</summary>
    /// <param name="options">The options.</param>
    /// <exception cref="OrleansConfigurationException">One or more are out of their bounds.</exception>
    public static void Check(object options)
    {
        var results = new List<ValidationResult>();
        if (Validator.TryValidateObject(options, new ValidationContext(options), results, validateAllProperties: true)) return;
        throw new OrleansConfigurationException(string.Join(" ", results.Select(result => Text(options, result))));
    }

    // Options say what they must be; what they are is said here.
    private static string Text(object options, ValidationResult result)
    {
        var type = options.GetType();
        var values = result.MemberNames.Select(name => string.Create(
            CultureInfo.InvariantCulture, $"{type.Name}.{name} is {type.GetProperty(name)?.GetValue(options) ?? "nothing"}"));
        return string.Join(" ", (string[])[.. values.Select(value => $"{value}:"), result.ErrorMessage ?? "That is not valid."]);
    }
}
