using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;
using Polyjuice.Contracts;

namespace Polyjuice.Storage;

/// <summary>Refuses options of logs that could not work, by the option's name. Thread-safe.</summary>
/// <typeparam name="TOptions">The options.</typeparam>
internal class LogOptionsValidator<TOptions> : IValidateOptions<TOptions> where TOptions : class
{
    private static readonly string s_type = typeof(TOptions).Name;

    /// <inheritdoc/>
    public ValidateOptionsResult Validate(string? name, TOptions options)
    {
        var wrong = Problems(options);
        return wrong.Count == 0
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail(wrong.Select(one => $"{s_type} of the log '{name}': {one}"));
    }

    /// <summary>Refuses options of logs that are opened without a host.</summary>
    /// <param name="options">The options.</param>
    /// <exception cref="ValidationException">One is missing or out of its bounds; the message names it.</exception>
    public void Check(TOptions options)
    {
        if (Problems(options) is { Count: > 0 } wrong)
            throw new ValidationException($"{s_type}: {string.Join(" ", wrong)}");
    }

    /// <summary>The same for logs that are looked at, by whoever knows nothing of options' classes.</summary>
    /// <param name="options">The options.</param>
    /// <exception cref="ValidationException">One is missing or out of its bounds; the message names it.</exception>
    public void CheckToLook(TOptions options)
    {
        if (Problems(options) is { Count: > 0 } wrong) throw new ValidationException(string.Join(" ", wrong));
    }

    /// <summary>
    /// What is wrong beside the bounds that members say themselves, a sentence each, without secrets.
    /// </summary>
    /// <param name="options">The options.</param>
    protected virtual IEnumerable<string> Find(TOptions options) => [];

    private List<string> Problems(TOptions options) => [.. OptionText.Problems(options, owner: ""), .. Find(options)];
}
