namespace Polyjuice.Packages.Tests;

[Collection(PackagesCollection.Name), RequiresRedis]
public sealed class OutsideRedisTests(PackedPackages packages) : OutsideLogsTests(packages)
{
    protected override string Provider => "Redis";

    protected override async Task<IDatabaseServer> StartAsync() => await RedisServer.StartAsync();
}
