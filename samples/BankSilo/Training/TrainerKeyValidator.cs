using BankSilo.Settings;
using Microsoft.Extensions.Options;
using Polyjuice.Policies.Following;
using Polyjuice.Policies.Publishing;

namespace BankSilo.Training;

/// <summary>Refuses, when the silo starts, a trainer whose releases silos would not take.</summary>
/// <param name="trainer">The trainer.</param>
internal sealed class TrainerKeyValidator(TrainerSettings trainer) : IValidateOptions<PublishedPoliciesOptions>
{
    private const string Setting = $"{TrainerSettings.Section}:{nameof(TrainerSettings.SigningKey)}";

    /// <inheritdoc/>
    public ValidateOptionsResult Validate(string? name, PublishedPoliciesOptions options)
    {
        PolicySigningKey? key;
        try
        {
            key = trainer.SigningKey is { } pem ? PolicySigningKey.Parse(pem) : null;
        }
        catch (ArgumentException exception)
        {
            return ValidateOptionsResult.Fail($"{Setting}: {exception.Message}");
        }

        PolicyTrust trust;
        try
        {
            trust = options.Trust;
        }
        catch (ArgumentException)
        {
            // Somebody else says which key is none.
            return ValidateOptionsResult.Skip;
        }

        if (!trust.NeedsSignatures) return ValidateOptionsResult.Success;
        const string keys = $"{SiloSettings.PoliciesSection}:{nameof(PublishedPoliciesOptions.PublisherKeys)}";
        if (key is null) return ValidateOptionsResult.Fail($"{Setting} is missing: there are {keys}, so silos would not take what the trainer publishes.");
        return trust.Accepts(key.Verification, isRelease: true)
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail($"{Setting} is key {key.Verification.Id}, which is none of {keys}, so silos would not take what the trainer publishes.");
    }
}
