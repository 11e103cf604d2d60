using Orleans.Configuration;

namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>What every device promises.</summary>
[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class AzureBlobLogDeviceTests(AzuriteFixture azurite) : LogDeviceContract
{
    private readonly AzureBlobLogOptions _options = azurite.NewOptions();

    protected override async ValueTask<ILogDevice> OpenAsync() => await azurite.OpenAsync(_options);

    [ConditionalFact]
    public async Task A_list_goes_over_as_many_pages_as_there_are()
    {
        var device = await azurite.OpenAsync(_options, new() { ListPageSize = 3 });
        var names = Enumerable.Range(0, 11).Select(i => $"p00000/{i:D2}.log").ToList();
        foreach (var name in names) await device.CreateAsync(name, default);
        await using (await device.LockAsync("the test", default))
            Assert.Equal(names, (await device.ListAsync("", default)).Select(entry => entry.Name));
    }

    [ConditionalFact]
    public async Task Clusters_with_prefixes_of_their_own_do_not_see_each_other()
    {
        _options.KeyPrefix = "a";
        var one = await azurite.OpenAsync(_options);
        _options.KeyPrefix = "a/b/";
        var other = await azurite.OpenAsync(_options);
        await one.CreateAsync("p00000/1.log", default);
        await other.CreateAsync("p00000/2.log", default);
        Assert.Equal(["p00000/1.log"], (await one.ListAsync("p", default)).Select(entry => entry.Name));
        Assert.Equal(["p00000/2.log"], (await other.ListAsync("p", default)).Select(entry => entry.Name));
        await using var lockOfOne = await one.LockAsync("one", default);
        await using var lockOfOther = await other.LockAsync("other", default);
        Assert.EndsWith($"/{_options.ContainerName}/a/b", other.Location, StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task An_object_of_many_blocks_is_seen_when_it_is_whole_and_not_before()
    {
        var device = await azurite.OpenAsync(_options, new() { BlockBytes = 1_000 });
        foreach (var length in new[] { 999, 1_000, 1_001, 2_000, 54_321 })
        {
            var bytes = Enumerable.Range(0, length).Select(i => (byte)(i % 251)).ToArray();
            var seen = new List<int>();
            async IAsyncEnumerable<ReadOnlyMemory<byte>> Content()
            {
                for (var at = 0; at < length; at += 700)
                {
                    seen.Add((await device.ListAsync("object", default)).Count);
                    yield return bytes.AsMemory(at, Math.Min(700, length - at));
                }
            }

            Assert.True(await device.PutAsync($"object{length}", Content(), overwrite: false, default));
            Assert.All(seen, count => Assert.Equal(seen[0], count));
            Assert.Equal(bytes, await ReadAll(device, $"object{length}"));
        }
    }
}
