using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Orleans;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;
using Polyjuice.Tracing;

namespace Polyjuice.Training.Orleans;

/// <summary>Refuses, when a silo starts and by the option's name, a trainer that could not work.</summary>
internal sealed class TrainerConfigurationValidator(
    IOptions<SiloTrainerOptions> trainer, IOptions<PolyjuiceOptions> silo, IOptions<PublishedPoliciesOptions> policies,
    IServiceProviderIsService services) : IConfigurationValidator
{
    private const string Window = $"{nameof(SiloTrainerOptions)}.{nameof(SiloTrainerOptions.Window)}";
    private const string Period =
        $"{nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.Trace)}."
        + nameof(TraceRecorderOptions.FilePeriodMicroseconds);
    private const string Key = $"{nameof(SiloTrainerOptions)}.{nameof(SiloTrainerOptions.SigningKey)}";
    private const string Keys = $"{nameof(PublishedPoliciesOptions)}.{nameof(PublishedPoliciesOptions.PublisherKeys)}";

    /// <inheritdoc/>
    public void ValidateConfiguration()
    {
        string[] problems = [.. OptionText.Problems(trainer.Value), .. Missing()];
        if (problems.Length > 0) throw new OrleansConfigurationException(string.Join(" ", problems));
    }

    private IEnumerable<string> Missing()
    {
        if (!services.IsService(typeof(IPolyjuiceSilo)))
            yield return "The silo has a trainer and no UsePolyjuice(): there is nothing that tables are for.";
        var period = silo.Value.Trace.FilePeriodMicroseconds;
        if (TrainerFactory.SourceOf(silo.Value) is null)
        {
            yield return silo.Value.TraceSink is { } sink
                ? $"The silo's trainer can't read what {sink.GetType().Name} writes: use another place for traces."
                : "The silo has a trainer and records no traces to train on: add AddFileTraces() with a folder that "
                    + "all silos share, AddAzureBlobTraces() or another place.";
        }
        else if (trainer.Value.Window.TotalMicroseconds % period is not 0)
        {
            yield return $"{Period} is {period}, and {Window} ({trainer.Value.Window}) must be a whole number of them: "
                + "leave it out.";
        }

        if (!services.IsService(typeof(PolicyFollower)))
        {
            yield return "The silo has a trainer and follows no policies, so nobody would take what it publishes: "
                + "add AddFilePolicyStore(), AddAzureBlobPolicyStore() or another place.";
        }
        else if (KeyProblem() is { } wrong)
        {
            yield return wrong;
        }
    }

    private string? KeyProblem()
    {
        PolicySigningKey? key;
        try
        {
            key = trainer.Value.SigningKey is { } pem ? PolicySigningKey.Parse(pem) : null;
        }
        catch (ArgumentException exception)
        {
            return $"{Key}: {exception.Message}";
        }

        PolicyTrust trust;
        try
        {
            trust = policies.Value.Trust;
        }
        catch (Exception exception) when (exception is ArgumentException or OptionsValidationException)
        {
            // Somebody else says which key is none.
            return null;
        }

        const string outcome = "so silos would not take what the trainer publishes.";
        if (!trust.NeedsSignatures) return null;
        if (key is null) return $"{Key} is missing: there are {Keys}, {outcome}";
        return trust.Accepts(key.Verification, isRelease: true)
            ? null
            : $"{Key} is key {key.Verification.Id}, which is none of {Keys}, {outcome}";
    }
}
