using System.Net;

namespace BankSilo.Tests;

/// <summary>Two silos on shared logs, as in a rolling update.</summary>
[RequiresAzurite]
public sealed class DrainTests
{
    private const int Accounts = 24;

    [ConditionalFact]
    public async Task A_silo_that_leaves_hands_its_partitions_over_and_no_money_is_lost()
    {
        await using var azurite = await AzuriteServer.StartAsync();
        string[] shared =
        [
            "--Silo:ClusterId=drain",
            "--Silo:Logs=AzureBlobs",
            "--AzureBlobLog:Lock=false",
            $"--AzureBlobLog:ConnectionString={azurite.ConnectionString}"
        ];
        await using var stays = await RunningSilo.StartAsync(shared);
        await using var leaves = await RunningSilo.StartAsync([.. shared, $"--Silo:PrimaryPort={stays.SiloPort}"]);
        await leaves.ReadyAsync("active, serves 4 of 8 log partitions");
        for (var i = 0; i < Accounts; i++)
            (await leaves.PostAsync($"/accounts/a{i}/deposits", new { amount = 100 })).EnsureSuccessStatusCode();

        // Customers go on at the silo that stays, while the other one leaves.
        using var stop = new CancellationTokenSource();
        var hasBegun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var customers = Enumerable.Range(0, 4).Select(customer => Task.Run(() => TransferAsync(customer))).ToArray();
        await hasBegun.Task.WaitAsync(TimeSpan.FromMinutes(2));
        await leaves.Host.StopAsync();
        await stop.CancelAsync();
        var answers = (await Task.WhenAll(customers)).SelectMany(answer => answer).ToList();

        // Who leaves does not wait until its partitions' next owner has opened their logs.
        await stays.ReadyAsync("active, serves 8 of 8 log partitions");
        decimal total = 0;
        for (var i = 0; i < Accounts; i++) total += await stays.BalanceAsync($"a{i}");
        Assert.Equal(Accounts * 100, total);
        Assert.Contains(answers, answer => answer.Status == HttpStatusCode.OK);
        Assert.DoesNotContain(answers, answer => answer.Status is not (HttpStatusCode.OK or HttpStatusCode.Conflict));

        async Task<List<(HttpStatusCode Status, string Text)>> TransferAsync(int customer)
        {
            var answers = new List<(HttpStatusCode Status, string Text)>();
            var random = new Random(customer);
            while (!stop.IsCancellationRequested)
            {
                var from = random.Next(Accounts);
                using var answer = await stays.PostAsync(
                    "/transfers",
                    new
                    {
                        from = $"a{from}",
                        to = $"a{(from + 1 + random.Next(Accounts - 1)) % Accounts}",
                        amount = random.Next(1, 50)
                    });
                answers.Add((answer.StatusCode, await answer.Content.ReadAsStringAsync()));
                hasBegun.TrySetResult();
            }

            return answers;
        }
    }
}
