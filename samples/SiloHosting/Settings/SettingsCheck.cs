using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace SiloHosting.Settings;

/// <summary>Refuses settings before anything is made of them.</summary>
public static class SettingsCheck
{
    /// <summary>Checks them all.</summary>
    /// <param name="settings">The silo's.</param>
    /// <param name="trainer">The trainer's; none is one that is not enabled.</param>
    /// <exception cref="OptionsValidationException">Some are not valid; the message names each.</exception>
    public static void Validate(SiloSettings settings, TrainerSettings? trainer = null)
    {
        trainer ??= new();
        var problems = ProblemsOf(settings).ToList();
        if (trainer.Enabled && string.IsNullOrEmpty(settings.TraceFolder)
            && string.IsNullOrEmpty(settings.TraceContainer))
            problems.Add(
                $"{SiloSettings.Section}:{nameof(SiloSettings.TraceFolder)} or {nameof(SiloSettings.TraceContainer)} "
                + "is missing: a trainer learns from what silos write there.");
        if (trainer.Enabled && string.IsNullOrEmpty(settings.PolicyFolder)
            && string.IsNullOrEmpty(settings.PolicyContainer))
            problems.Add(
                $"{SiloSettings.Section}:{nameof(SiloSettings.PolicyFolder)} or {nameof(SiloSettings.PolicyContainer)} "
                + "is missing: a trainer publishes there, and silos follow.");
        if (problems.Count > 0)
            throw new OptionsValidationException(SiloSettings.Section, typeof(SiloSettings), problems);
    }

    private static IEnumerable<string> ProblemsOf(object settings)
    {
        var results = new List<ValidationResult>();
        Validator.TryValidateObject(settings, new ValidationContext(settings), results, validateAllProperties: true);
        return results.Select(result => result.ErrorMessage!);
    }
}
