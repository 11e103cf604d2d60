namespace BankSilo.Tests;

/// <summary>Membership and logs as both overlays of <c>deploy/</c> have them.</summary>
[RequiresAzurite]
public sealed class MembershipTests
{
    [ConditionalFact]
    public async Task Silos_find_each_other_by_a_table_and_go_on_when_the_first_has_left()
    {
        await using var azurite = await AzuriteServer.StartAsync();
        string[] shared = [
            "--Silo:ClusterId=table", "--Silo:Clustering=AzureTable", "--Silo:AdvertisedAddress=127.0.0.1",
            $"--Silo:ClusteringConnectionString={azurite.ConnectionString}", "--Silo:Logs=AzureBlobs",
            "--AzureBlobLog:Lock=false", $"--AzureBlobLog:ConnectionString={azurite.ConnectionString}"];
        await using var first = await RunningSilo.StartAsync(shared);
        await using var second = await RunningSilo.StartAsync(shared);
        await first.ReadyAsync("active, serves 4 of 8 log partitions");
        await second.ReadyAsync("active, serves 4 of 8 log partitions");
        for (var i = 0; i < 8; i++)
            (await first.PostAsync($"/accounts/a{i}/deposits", new { amount = 100 })).EnsureSuccessStatusCode();

        // Membership is no silo's, so it does not matter which one leaves.
        await first.Host.StopAsync();
        await second.ReadyAsync("active, serves 8 of 8 log partitions");
        for (var i = 0; i < 8; i++) Assert.Equal(100, await second.BalanceAsync($"a{i}"));
    }
}
