using System.Text.RegularExpressions;
using Polyjuice.Tests.Storages;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>A state's class changes while rows of it exist.</summary>
public sealed partial class StateUpgradeTests
{
    private readonly StoredRows _rows = new();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Rows_of_an_earlier_version_of_a_state_class_are_read(bool wroteOrleans)
    {
        await using (var earlier = wroteOrleans
            ? await PolyjuiceCluster.StartOrleansAsync(1, Storage.Of(StorageKind.Grain, _rows))
            : await PolyjuiceCluster.StartAsync(1, Storage.Of(StorageKind.Grain, _rows)))
        {
            await earlier.Client.GetGrain<IRowProfile>(1).Rename("Ada");
        }

        // What a class without the member, and with one that is gone since, would have left.
        var key = Assert.Single(_rows.Keys);
        var (etag, content) = _rows.Read(key);
        var json = ((BinaryData)content!).ToString();
        var old = Language().Replace(json, "\"Title\":\"Countess\"");
        Assert.NotEqual(json, old);
        _rows.Write(key, etag, BinaryData.FromString(old));

        await using var later = await PolyjuiceCluster.StartAsync(1, Storage.Of(StorageKind.Grain, _rows));
        var profile = later.Client.GetGrain<IRowProfile>(1);
        Assert.Equal("Ada, none yet", await profile.Describe());
        await profile.Rename("Lovelace");
        Assert.Equal("Lovelace, none yet", await profile.Describe());
    }

    [GeneratedRegex("\"Language\":\"[^\"]*\"")]
    private static partial Regex Language();
}
