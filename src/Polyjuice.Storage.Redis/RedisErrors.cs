using StackExchange.Redis;

namespace Polyjuice.Storage.Redis;

/// <summary>
/// Turns what the server says into what its operator should do. Messages name the server and the keys, never a
/// password.
/// </summary>
/// <param name="location">The device's.</param>
internal sealed class RedisErrors(string location)
{
    private const string GoesOn = "Nothing is lost, and the log goes on by itself";

    /// <summary>Whether an exception is the client's or the server's, and not the caller's own.</summary>
    public static bool IsOfServer(Exception exception) =>
        exception is RedisException or RedisCommandException or TimeoutException;

    /// <summary>What to throw in place of an exception that the client threw.</summary>
    /// <param name="exception">That one.</param>
    /// <param name="what">What was to be done, as a verb: "append to".</param>
    /// <param name="name">The segment or object; empty for all.</param>
    public Exception Explain(Exception exception, string what, string name)
    {
        var doing = name.Length == 0 ? $"Polyjuice can't {what} {location}"
            : $"Polyjuice can't {what} {location}/{name}";
        return exception switch
        {
            RedisServerException answer => Answered(answer, doing),
            RedisConnectionException refused when IsOfUser(refused) => new UnauthorizedAccessException(
                $"{doing}: the server does not let this user in. Check user and password in "
                    + $"RedisLogOptions.ConnectionString.", exception),
            TimeoutException => new IOException(
                $"{doing}: no answer in time. {GoesOn} when there is one. If this lasts, look at the server's load "
                    + $"and its disk, or raise RedisLogOptions.RequestTimeout.", exception),
            _ => new IOException(
                $"{doing}: the server can't be reached ({exception.GetBaseException().Message}). {GoesOn} when it "
                    + $"answers. If this lasts, check the host's name, its firewall, and whether the server runs.",
                    exception),
        };
    }

    // The client says so in one of several ways.
    private static bool IsOfUser(RedisConnectionException exception) =>
        exception.FailureType == ConnectionFailureType.AuthenticationFailure
        || new[] { "NOAUTH", "WRONGPASS" }.Any(
            answer => exception.ToString().Contains(answer, StringComparison.Ordinal));

    private Exception Answered(RedisServerException answer, string doing)
    {
        var said = $"{doing} ({answer.Message})";
        return answer.Message.Split(' ', 2)[0].TrimStart('-') switch
        {
            "NOAUTH" or "WRONGPASS" =>
                new UnauthorizedAccessException($"{said}: the server does not let this user in. Check user and "
                + $"password in RedisLogOptions.ConnectionString.", answer),
            "NOPERM" => new UnauthorizedAccessException(
                $"{said}: this user may not. It needs '~{{PREFIX}}*' with its prefix in braces, and the commands "
                    + $"+@read +@write +@scripting +config|get.", answer),
            "OOM" =>
                new IOException($"{said}: the server has no memory left. {GoesOn} when there is some. Raise "
                + $"maxmemory; logs are trimmed when checkpoints are made.", answer),
            "MISCONF" => new IOException(
            $"{said}: the server can't write to its disk, which may be full. {GoesOn} when it can.", answer),
            "READONLY" =>
                new IOException($"{said}: the server is a replica, which takes no writes. Name the primary.", answer),
            "LOADING" or "MASTERDOWN" or "CLUSTERDOWN" or "TRYAGAIN" or "BUSY" or "NOREPLICAS" =>
                new IOException($"{said}: the server is not ready. {GoesOn} when it is.", answer),
            "WRONGTYPE" =>
                new IOException($"{said}: the key has another type than Polyjuice gives it, so somebody else wrote "
                + $"it. Use another KeyPrefix, or move the key away.", answer),
            _ => new IOException($"{said}: the server refused it. If this lasts, look at the server's log.", answer),
        };
    }
}
