using System.ComponentModel.DataAnnotations;
using System.Reflection;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;
using StackExchange.Redis;

namespace Polyjuice.Storage.Redis.Tests;

public sealed class RedisLogOptionsTests
{
    public static TheoryData<string, Action<RedisLogOptions>> Wrong => new()
    {
        { "ConnectionString", o => o.ConnectionString = null },
        { "ConnectionString", o => o.ConnectionString = " " },
        { "can't be read", o => o.ConnectionString = "redis:6379,nonsense=topsecret" },
        { "names no server", o => o.ConnectionString = "password=topsecret" },
        { "only one of", o => Shared(o).ConnectionString = "redis" },
        { "Configure is used", o => Shared(o).Configure = _ => { } },
        { "KeyPrefix is /a:", o => Shared(o).KeyPrefix = "/a" },
        { "KeyPrefix", o => o.KeyPrefix = "" },
        { "KeyPrefix", o => o.KeyPrefix = "/a" },
        { "KeyPrefix", o => o.KeyPrefix = "a}b" },
        { "KeyPrefix", o => o.KeyPrefix = "a b" },
        { "Durability", o => o.Durability = (RedisDurability)7 },
        { "LeaseDuration", o => o.LeaseDuration = TimeSpan.FromSeconds(4) },
        { "LockWait", o => o.LockWait = TimeSpan.FromSeconds(-1) },
        { "RequestTimeout", o => o.RequestTimeout = TimeSpan.Zero },
        { "NewPartitions", o => o.NewPartitions = 0 },
        { "SegmentBytes", o => o.SegmentBytes = 1 },
        { "SegmentBytes", o => o.SegmentBytes = RedisLogOptions.SegmentBytesMax + 1 },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public async Task What_could_not_work_is_refused_by_the_options_name_and_no_secret_is_shown(
        string expected, Action<RedisLogOptions> spoil)
    {
        var options = Right();
        spoil(options);
        var result = new RedisLogOptionsValidator().Validate("orders", options);
        Assert.True(result.Failed);
        Assert.Contains(
            result.Failures!, failure => failure.Contains(expected, StringComparison.Ordinal)
            && failure.Contains("'orders'", StringComparison.Ordinal));
        var exception = await Assert.ThrowsAsync<ValidationException>(
            () => RedisLogStore.OpenAsync(options, NullLogger.Instance, default));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("topsecret", exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void What_can_work_is_taken()
    {
        var several = new[] { Right(), Right() };
        several[1].KeyPrefix = "clusters/a-1_x=2.0/";
        several[1].LockWait = TimeSpan.Zero;
        Assert.All(several, options => Assert.True(new RedisLogOptionsValidator().Validate("", options).Succeeded));
    }

    [Theory]
    [InlineData("redis", 0, "redis://redis:6379/0/polyjuice")]
    [InlineData("10.0.0.1:6380,ssl=true", 3, "rediss://10.0.0.1:6380/3/polyjuice")]
    [InlineData("a:1,b:2,password=topsecret", 0, "redis://a:1,b:2/0/polyjuice")]
    public void A_place_is_named_by_an_address_without_secrets(string connection, int database, string expected) =>
        Assert.Equal(
            expected, RedisLogDevice.LocationOf(ConfigurationOptions.Parse(connection), database, "polyjuice"));

    [Fact]
    public void What_can_not_be_sent_now_is_not_sent_later()
    {
        var options = Right();
        options.RequestTimeout = TimeSpan.FromSeconds(3);
        options.Configure = settings => settings.ClientName = "orders";
        var settings = RedisClients.Settings(options);
        Assert.Same(BacklogPolicy.FailFast, settings.BacklogPolicy);
        Assert.Equal((3_000, 3_000, "orders"), (settings.AsyncTimeout, settings.ConnectTimeout, settings.ClientName));
    }

    private static RedisLogOptions Shared(RedisLogOptions options)
    {
        (options.ConnectionString, options.Multiplexer) =
            (null, DispatchProxy.Create<IConnectionMultiplexer, UnusedClient>());
        return options;
    }

    private static RedisLogOptions Right() => new() { ConnectionString = "redis:6379,user=orders,password=topsecret" };

    private class UnusedClient : DispatchProxy
    {
        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) =>
            throw new InvalidOperationException("Options that are refused are not used.");
    }
}
