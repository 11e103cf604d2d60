using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;
using Polyjuice.Policies.Following;

namespace Orleans.Hosting;

/// <summary>Refuses, when a host starts and by the option's name, what could not work.</summary>
internal sealed class PublishedPoliciesValidator : IValidateOptions<PublishedPoliciesOptions>
{
    /// <inheritdoc/>
    public ValidateOptionsResult Validate(string? name, PublishedPoliciesOptions options)
    {
        var results = new List<ValidationResult>();
        return Validator.TryValidateObject(options, new ValidationContext(options), results, validateAllProperties: true)
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail(results.Select(result => $"{nameof(PublishedPoliciesOptions)}: {result.ErrorMessage}"));
    }
}
