using Orleans.Configuration;
using StackExchange.Redis;

namespace Polyjuice.Storage.Redis;

/// <summary>Makes the client that options ask for.</summary>
internal static class RedisClients
{
    public static ConfigurationOptions Settings(RedisLogOptions options)
    {
        var settings = ConfigurationOptions.Parse(options.ConnectionString!);
        settings.ClientName ??= "Polyjuice";
        settings.ConnectTimeout = settings.AsyncTimeout = settings.SyncTimeout = (int)Math.Ceiling(
            options.RequestTimeout.TotalMilliseconds);

        // What can't be sent now is not sent later: who asked for it asks again, and it is known what was not sent.
        settings.BacklogPolicy = BacklogPolicy.FailFast;
        settings.AbortOnConnectFail = true;

        // The client counts CONFIG GET among what only administrators do. The server decides who may.
        settings.AllowAdmin = true;
        options.Configure?.Invoke(settings);
        return settings;
    }

    /// <summary>Makes one for what is no log, and waits for it.</summary>
    /// <exception cref="IOException">The server can't be reached; the message says what to do.</exception>
    public static IConnectionMultiplexer Connect(RedisLogOptions options)
    {
        RedisLogOptionsValidator.Instance.CheckToLook(options);
        var settings = Settings(options);
        var errors = new RedisErrors(
            RedisLogDevice.LocationOf(settings, settings.DefaultDatabase ?? 0, options.KeyPrefix));
        return ConnectAsync(settings, errors, CancellationToken.None).GetAwaiter().GetResult();
    }

    public static async Task<IConnectionMultiplexer> ConnectAsync(
        ConfigurationOptions settings, RedisErrors errors, CancellationToken cancellationToken)
    {
        try
        {
            return await ConnectionMultiplexer.ConnectAsync(settings).WaitAsync(cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception exception) when (RedisErrors.IsOfServer(exception))
        {
            throw errors.Explain(exception, "connect to", "");
        }
    }
}
