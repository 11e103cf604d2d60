namespace Polyjuice.Packages.Tests;

[Collection(PackagesCollection.Name), RequiresPostgreSql]
public sealed class OutsidePostgreSqlTests(PackedPackages packages) : OutsideLogsTests(packages)
{
    protected override string Provider => "PostgreSql";

    protected override async Task<IDatabaseServer> StartAsync() => await PostgreSqlServer.StartAsync();
}
