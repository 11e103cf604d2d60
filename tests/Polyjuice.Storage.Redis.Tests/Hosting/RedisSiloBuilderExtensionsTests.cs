using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Orleans;
using Polyjuice.Publishing;
using Polyjuice.Tests.Clusters;
using StackExchange.Redis;

namespace Polyjuice.Storage.Redis.Tests.Hosting;

[RequiresRedis]
[Collection(RedisFixture.Name)]
public sealed class RedisSiloBuilderExtensionsTests(RedisFixture redis)
    : LogProviderContract("Redis", typeof(IConnectionMultiplexer))
{
    [ConditionalFact]
    public async Task Logs_policies_and_traces_come_from_the_configuration()
    {
        var prefix = redis.NewOptions().KeyPrefix;
        using var host = Build(silo => silo.UsePolyjuice(), new()
        {
            ["ConnectionStrings:redis"] = redis.Server.ConnectionString,
            ["Polyjuice:Logs:Default:ProviderType"] = "Redis", ["Polyjuice:Logs:Default:ConnectionName"] = "redis",
            ["Polyjuice:Logs:Default:KeyPrefix"] = prefix, ["Polyjuice:Logs:Default:NewPartitions"] = "3",
            ["Polyjuice:PolicyStore:ProviderType"] = "Redis", ["Polyjuice:PolicyStore:ConnectionName"] = "redis",
            ["Polyjuice:PolicyStore:Prefix"] = prefix,
            ["Polyjuice:Traces:ProviderType"] = "Redis", ["Polyjuice:Traces:ConnectionName"] = "redis",
            ["Polyjuice:Traces:Prefix"] = prefix,
        });
        await host.StartAsync();
        await host.Services.GetRequiredService<IGrainFactory>().GetGrain<IAccount>("a").Add(10);

        Assert.Equal(3, host.Services.GetRequiredService<IPolyjuiceSilo>().Readiness.Partitions);
        Assert.NotNull(host.Services.GetRequiredService<IPolicyEntries>());
        await host.StopAsync();

        // What it has done is recorded.
        var trace = Assert.Single(await new RedisTraceSink(redis.Admin, prefix).Source.ListAsync(default));
        Assert.True(trace.Bytes > 0);
    }

    [ConditionalFact]
    public async Task Logs_policies_and_traces_use_a_client_of_the_applications_that_the_configuration_names()
    {
        var prefix = redis.NewOptions().KeyPrefix;
        await using var shared = ConnectionMultiplexer.Connect($"{redis.Server.ConnectionString},allowAdmin=true");
        using var host = Build(
            silo => silo.UsePolyjuice().Services.AddKeyedSingleton<IConnectionMultiplexer>("shared", (_, _) => shared),
            new()
            {
                ["Polyjuice:Logs:Default:ProviderType"] = "Redis", ["Polyjuice:Logs:Default:ServiceKey"] = "shared",
                ["Polyjuice:Logs:Default:KeyPrefix"] = prefix, ["Polyjuice:Logs:Default:NewPartitions"] = "3",
                ["Polyjuice:PolicyStore:ProviderType"] = "Redis", ["Polyjuice:PolicyStore:ServiceKey"] = "shared",
                ["Polyjuice:PolicyStore:Prefix"] = prefix,
                ["Polyjuice:Traces:ProviderType"] = "Redis", ["Polyjuice:Traces:ServiceKey"] = "shared",
                ["Polyjuice:Traces:Prefix"] = prefix,
            });
        await UseAsync(host);

        // The application's own is still connected, and what the silo did is recorded.
        Assert.Single(await new RedisTraceSink(shared, prefix).Source.ListAsync(default));
    }

    [ConditionalFact]
    public async Task A_client_that_may_not_ask_how_the_server_is_set_is_refused_with_what_to_do()
    {
        await using var shared = ConnectionMultiplexer.Connect(redis.Server.ConnectionString);
        var options = redis.NewOptions();
        (options.ConnectionString, options.Multiplexer) = (null, shared);

        var exception = await Assert.ThrowsAsync<LogUnusableException>(() => RedisLogStore.OpenAsync(
            options, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default));

        Assert.Contains("allowAdmin=true", exception.Message, StringComparison.Ordinal);
        Assert.True(shared.IsConnected);
    }

    [ConditionalFact]
    public async Task Of_several_logs_the_one_that_is_named_is_used()
    {
        var options = redis.NewOptions();
        using (var host = Build(silo => silo
            .UsePolyjuice((PolyjuiceOptions polyjuice) => polyjuice.LogProvider = "second")
            .AddRedisLog(
                "first", builder => builder.Configure(first => first.ConnectionString = "nobody.invalid"))
            .AddRedisLog("second", builder => builder.Configure<IServiceProvider>((second, _) =>
            {
                second.ConnectionString = redis.Server.ConnectionString;
                second.KeyPrefix = options.KeyPrefix;
            }))))
        {
            await host.StartAsync();
            await host.Services.GetRequiredService<IGrainFactory>().GetGrain<IAccount>("a").Add(10);
            await host.StopAsync();
        }

        // The lock was given back, and everything is below the prefix.
        await using var store = await RedisLogStore.OpenAsync(
            options, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        long batches = 0;
        for (var partition = 0; partition < store.PartitionCount; partition++) batches += await store.Open(
            partition).End();
        Assert.True(batches > 0);
    }

    [ConditionalFact]
    public async Task A_wrong_option_stops_the_host_from_starting_and_is_named()
    {
        using var host = Build(
            silo => silo.UsePolyjuice((PolyjuiceOptions polyjuice) => polyjuice.LogProvider = "orders")
                .AddRedisLog("orders", options => options.KeyPrefix = "/no"));
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Contains("'orders'", exception.Message, StringComparison.Ordinal);
        Assert.Contains("KeyPrefix", exception.Message, StringComparison.Ordinal);
        Assert.Contains("ConnectionString", exception.Message, StringComparison.Ordinal);
    }

    /// <inheritdoc/>
    protected override string NewPlace() => redis.NewOptions().KeyPrefix;

    /// <inheritdoc/>
    protected override void AddLogAsDefault(ISiloBuilder silo, string place) =>
        silo.AddRedisLogAsDefault((RedisLogOptions options) =>
        {
            options.ConnectionString = redis.Server.ConnectionString;
            options.KeyPrefix = place;
            options.NewPartitions = 3;
        });
}
