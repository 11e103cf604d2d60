using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Runtime;
using Polyjuice.Orleans;
using Polyjuice.Policies.Following;
using Polyjuice.Policies.Publishing;

namespace Polyjuice.Training.Orleans;

/// <summary>Refuses, when a silo starts and by the option's name, a trainer that could not work.</summary>
internal sealed class TrainerConfigurationValidator(
    IOptions<SiloTrainerOptions> trainer, IOptions<PolyjuiceOptions> silo, IOptions<PublishedPoliciesOptions> policies, IServiceProviderIsService services) : IConfigurationValidator
{
    private const string Key = $"{nameof(SiloTrainerOptions)}.{nameof(SiloTrainerOptions.SigningKey)}";
    private const string Keys = $"{nameof(PublishedPoliciesOptions)}.{nameof(PublishedPoliciesOptions.PublisherKeys)}";

    /// <inheritdoc/>
    public void ValidateConfiguration()
    {
        var problems = ProblemsOf(trainer.Value).ToList();
        if (!services.IsService(typeof(IPolyjuiceSilo))) problems.Add("The silo has a trainer and no UsePolyjuice(): there is nothing that tables are for.");
        if (TrainerFactory.SourceOf(trainer.Value, silo.Value) is null) problems.Add(TracesMissing());
        else if (trainer.Value.Window.TotalMicroseconds % silo.Value.Trace.FilePeriodMicroseconds is not 0) problems.Add(PeriodWrong());
        if (!services.IsService(typeof(PolicyFollower)))
            problems.Add("The silo has a trainer and follows no policies, so nobody would take what it publishes: add AddFilePolicyStore(), AddAzureBlobPolicyStore() or another place.");
        else if (KeyProblem() is { } wrong) problems.Add(wrong);
        if (problems.Count > 0) throw new OrleansConfigurationException(string.Join(" ", problems));
    }

    private static IEnumerable<string> ProblemsOf(SiloTrainerOptions options)
    {
        var results = new List<ValidationResult>();
        Validator.TryValidateObject(options, new ValidationContext(options), results, validateAllProperties: true);
        return results.Select(result => $"{nameof(SiloTrainerOptions)}: {result.ErrorMessage}");
    }

    private string TracesMissing() => silo.Value.TraceSink is { } sink
        ? $"The silo's trainer does not know where to read what {sink.GetType().Name} writes: set {nameof(SiloTrainerOptions)}.{nameof(SiloTrainerOptions.Traces)}."
        : $"The silo has a trainer and records no traces to train on: set {nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.TraceSink)}, such as a FileTraceSink of a folder that all silos share.";

    private string PeriodWrong() =>
        $"{nameof(PolyjuiceOptions)}.{nameof(PolyjuiceOptions.Trace)}.FilePeriodMicroseconds is {silo.Value.Trace.FilePeriodMicroseconds}, "
        + $"and {nameof(SiloTrainerOptions)}.{nameof(SiloTrainerOptions.Window)} ({trainer.Value.Window}) must be a whole number of them: leave it out.";

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

        if (!trust.NeedsSignatures) return null;
        if (key is null) return $"{Key} is missing: there are {Keys}, so silos would not take what the trainer publishes.";
        return trust.Accepts(key.Verification, isRelease: true) ? null : $"{Key} is key {key.Verification.Id}, which is none of {Keys}, so silos would not take what the trainer publishes.";
    }
}
