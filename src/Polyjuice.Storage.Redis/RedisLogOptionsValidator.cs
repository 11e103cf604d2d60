using Orleans.Configuration;
using StackExchange.Redis;

namespace Polyjuice.Storage.Redis;

/// <summary>Refuses, by the option's name, what could not work.</summary>
internal sealed class RedisLogOptionsValidator : LogOptionsValidator<RedisLogOptions>
{
    /// <summary>The one.</summary>
    public static RedisLogOptionsValidator Instance { get; } = new();

    /// <inheritdoc/>
    protected override IEnumerable<string> Find(RedisLogOptions options)
    {
        // Nothing quotes the connection string, which may have a password.
        if (options.SegmentBytes > RedisLogOptions.SegmentBytesMax)
            yield return $"SegmentBytes is more than {RedisLogOptions.SegmentBytesMax}: a key's value has at most "
                + $"512 MiB.";

        if (options.Multiplexer is not null)
        {
            if (options.ConnectionString is not null) yield return "Set only one of ConnectionString and Multiplexer.";
            if (options.Configure is not null)
                yield return "Configure is used with ConnectionString only, and Multiplexer is set.";
            yield break;
        }

        if (string.IsNullOrWhiteSpace(options.ConnectionString))
        {
            yield return "Nothing says where the server is: set ConnectionString, such as redis:6379,password=…, or "
                + "Multiplexer (ServiceKey in the configuration).";
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
