using Microsoft.Extensions.Options;
using Polyjuice.Contracts;

namespace Polyjuice.LiveView.Hosting;

/// <summary>Refuses options that are out of their bounds, with name, value and bounds. Thread-safe.</summary>
/// <typeparam name="TOptions">The options.</typeparam>
internal sealed class LiveViewValidator<TOptions> : IValidateOptions<TOptions> where TOptions : class
{
    /// <inheritdoc/>
    public ValidateOptionsResult Validate(string? name, TOptions options) =>
        OptionText.Problems(options) is { Count: > 0 } problems
            ? ValidateOptionsResult.Fail(problems)
            : ValidateOptionsResult.Success;
}
