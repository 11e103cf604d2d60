using System.ComponentModel.DataAnnotations;
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
        throw new OrleansConfigurationException(
            $"{options.GetType().Name}: {string.Join(" ", results.Select(result => result.ErrorMessage))}");
    }
}
