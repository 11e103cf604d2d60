using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using StackExchange.Redis;

namespace Polyjuice.Storage.Redis;

/// <summary>Whether a server keeps what it answers, as far as it says how it is set.</summary>
internal static class RedisServerCheck
{
    /// <summary>Refuses a server that does not, or warns of it.</summary>
    /// <exception cref="LogUnusableException">It does not, and <see cref="RedisDurability.EveryAppend"/> was asked
    /// for.</exception>
    public static async Task RunAsync(
        IConnectionMultiplexer redis, RedisLogOptions options, string location, RedisErrors errors, ILogger logger,
        CancellationToken cancellationToken)
    {
        foreach (var server in redis.GetServers())
        {
            if (server.IsReplica) continue;
            if (await ProblemAsync(server, errors, cancellationToken).ConfigureAwait(false) is not { } problem)
                continue;
            if (options.Durability == RedisDurability.EveryAppend)
            {
                throw new LogUnusableException(
                    $"Polyjuice can't keep logs in {location}: {problem} Set the server to 'appendonly yes', "
                    + "'appendfsync always', 'no-appendfsync-on-rewrite no' and 'maxmemory-policy noeviction'; or set "
                    + "RedisLogOptions.Durability to AsConfigured, if transactions that were answered may be lost.");
            }

            RedisLog.NotDurable(logger, location, problem);
        }
    }

    private static async Task<string?> ProblemAsync(
        IServer server, RedisErrors errors, CancellationToken cancellationToken)
    {
        try
        {
            if (await GetAsync("appendonly").ConfigureAwait(false) != "yes")
                return "The server keeps everything in memory ('appendonly' is not 'yes').";
            if (await GetAsync("appendfsync").ConfigureAwait(false) is not "always" and var fsync)
                return $"The server answers before what it answers is on its disk ('appendfsync' is '{fsync}').";
            if (await GetAsync("no-appendfsync-on-rewrite").ConfigureAwait(false) == "yes")
                return "The server does not flush while it rewrites its file ('no-appendfsync-on-rewrite' is 'yes').";
            if (await GetAsync("maxmemory-policy").ConfigureAwait(false) is not "noeviction" and var policy)
                return $"The server throws keys away when its memory is full ('maxmemory-policy' is '{policy}').";
            return null;
        }
        catch (RedisServerException exception)
        {
            return $"The server does not say how it is set ({exception.Message}).";
        }
        catch (RedisCommandException exception)
        {
            return "RedisLogOptions.Multiplexer may not ask the server how it is set: make that client with "
                + $"allowAdmin=true ({exception.Message}).";
        }
        catch (Exception exception) when (RedisErrors.IsOfServer(exception))
        {
            throw errors.Explain(exception, "look at", "");
        }

        async Task<string> GetAsync(string setting)
        {
            var values = await server.ConfigGetAsync(setting).WaitAsync(cancellationToken).ConfigureAwait(false);
            return values.Length > 0 ? values[0].Value : "";
        }
    }
}
