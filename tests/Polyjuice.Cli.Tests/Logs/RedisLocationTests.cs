using Polyjuice.Cli.Logs;
using StackExchange.Redis;

namespace Polyjuice.Cli.Tests.Logs;

public sealed class RedisLocationTests
{
    [Theory]
    [InlineData("redis://redis/0/polyjuice", true)]
    [InlineData("rediss://redis/0/polyjuice", true)]
    [InlineData("postgresql://db/orders", false)]
    [InlineData("redis", false)]
    public void An_address_is_told_from_a_folder(string data, bool isAddress) =>
        Assert.Equal(isAddress, RedisLocation.IsOne(data));

    [Theory]
    [InlineData("redis://redis:6380/0/polyjuice", "redis:6380", null, 0, "polyjuice", false)]
    [InlineData("rediss://anna@redis:6380/3/logs/eu/one", "redis:6380", "anna", 3, "logs/eu/one", true)]
    public void All_parts_are_taken_from_the_address_and_the_password_from_the_environment(
        string data, string server, string? user, int database, string prefix, bool isSecure)
    {
        var options = RedisLocation.Parse(data, name => name == RedisLocation.Password ? "topsecret" : null);
        var settings = ConfigurationOptions.Parse(options.ConnectionString!);
        Assert.EndsWith(server, Assert.Single(settings.EndPoints).ToString(), StringComparison.Ordinal);
        Assert.Equal(
            (user, "topsecret", database, isSecure),
            (settings.User, settings.Password, settings.DefaultDatabase, settings.Ssl));
        Assert.Equal(prefix, options.KeyPrefix);
    }

    [Theory]
    [InlineData("redis://anna:topsecret@redis/0/polyjuice", "REDISCLI_AUTH")]
    [InlineData("redis://redis/polyjuice", "no address of a place in Redis")]
    [InlineData("redis://redis/0", "no address of a place in Redis")]
    public async Task What_is_no_address_or_has_a_password_is_refused_with_what_to_do(string data, string expected)
    {
        using var tool = new Tool();
        var answer = await tool.RunAsync("log", "verify", "--data", data);
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains(expected, answer.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("topsecret", answer.Error, StringComparison.Ordinal);
    }
}
