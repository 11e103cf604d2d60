using System.Text;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Storage;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.Groups;

/// <summary>
/// What a transaction over six grains appends, by what the logs hold: owners append for other reasons, too.
/// </summary>
public sealed class OneAppendTests
{
    private const int Partitions = 8;
    private readonly MemoryLogStore _logs = new(Partitions);

    [Fact]
    public async Task A_transaction_over_grains_of_a_group_is_one_append() =>
        Assert.All(await AppendsAsync(new OtherRules()), static appends => Assert.Equal(1, appends));

    [Fact]
    public async Task Without_the_group_it_is_several()
    {
        var rules = new OtherRules().With<DepotGrain, OtherRules.Nothing>().With<ShelfGrain, OtherRules.Nothing>()
            .With<BinGrain, OtherRules.Nothing>();

        Assert.All(await AppendsAsync(rules), static appends => Assert.InRange(appends, 2, 6));
    }

    private async Task<List<int>> AppendsAsync(OtherRules rules)
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
            (options.Silos, options.Logs, options.ConfigureSilo) = (2, _logs, rules.Use));
        var appends = new List<int>();
        for (var depot = 0; depot < 16; depot++)
        {
            var before = await WithStatesAsync();
            await cluster.Grains.GetGrain<IDepot>(depot).Store([1, 2, 3], ["a", "b"], 1);
            await cluster.WhenIdleAsync();
            appends.Add(await WithStatesAsync() - before);
        }

        return appends;
    }

    // New states go into the logs with their grains' names, and nothing else does.
    private async Task<int> WithStatesAsync()
    {
        var found = 0;
        for (var partition = 0; partition < Partitions; partition++)
        {
            var log = _logs.Open(partition);
            await foreach (var batch in log.ReadAsync(
                0, await log.GetEndAsync(CancellationToken.None), CancellationToken.None))
            {
                var text = Encoding.UTF8.GetString(batch.Span);
                if (((string[])["depot/", "shelf/", "bin/"]).Any(name => text.Contains(name, StringComparison.Ordinal)))
                    found++;
            }
        }

        return found;
    }
}
