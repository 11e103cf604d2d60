using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace BankSilo.Settings;

/// <summary>Refuses settings before anything is made of them.</summary>
public static class SettingsCheck
{
    /// <summary>Checks them all.</summary>
    /// <exception cref="OptionsValidationException">Some are not valid; the message names each.</exception>
    public static void Validate(SiloSettings settings)
    {
        var results = new List<ValidationResult>();
        if (Validator.TryValidateObject(settings, new ValidationContext(settings), results, validateAllProperties: true)) return;
        throw new OptionsValidationException(SiloSettings.Section, typeof(SiloSettings), results.Select(result => result.ErrorMessage!));
    }
}
