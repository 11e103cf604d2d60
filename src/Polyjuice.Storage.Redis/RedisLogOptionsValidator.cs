using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using StackExchange.Redis;

namespace Polyjuice.Storage.Redis;

/// <summary>Refuses, by the option's name, what could not work.</summary>
internal sealed class RedisLogOptionsValidator : IValidateOptions<RedisLogOptions>
{
    /// <inheritdoc/>
    public ValidateOptionsResult Validate(string? name, RedisLogOptions options)
    {
        var wrong = Problems(options).ToList();
        return wrong.Count == 0
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail(wrong.Select(one => $"RedisLogOptions of the log '{name}': {one}"));
    }

    /// <summary>
    /// What is wrong, a sentence each. Never quotes the connection string, which may have a password.
    /// </summary>
    public static IEnumerable<string> Problems(RedisLogOptions options)
    {
        var results = new List<ValidationResult>();
        Validator.TryValidateObject(options, new ValidationContext(options), results, validateAllProperties: true);
        foreach (var result in results) yield return result.ErrorMessage!;
        if (options.SegmentBytes > RedisLogOptions.SegmentBytesMax)
            yield return $"SegmentBytes is more than {RedisLogOptions.SegmentBytesMax}: a key's value has at most "
                + $"512 MiB.";

        if (string.IsNullOrWhiteSpace(options.ConnectionString))
        {
            yield return "Nothing says where the server is: set ConnectionString, such as redis:6379,password=….";
            yield break;
        }

        var (parsed, problem) = Parse(options.ConnectionString);
        if (parsed is null) yield return $"ConnectionString can't be read: {problem}";
        else if (parsed.EndPoints.Count == 0) yield return "ConnectionString names no server.";
    }

    private static (ConfigurationOptions? Parsed, string Problem) Parse(string text)
    {
        try
        {
            return (ConfigurationOptions.Parse(text, ignoreUnknown: false), "");
        }
        catch (Exception exception) when (exception is ArgumentException or FormatException or OverflowException)
        {
            // Its text may quote the secret.
            return (null, $"{exception.GetType().Name}. It is a list of HOST:PORT and KEY=VALUE with commas between "
                + $"them, with the keys of StackExchange.Redis.");
        }
    }
}
