using Polyjuice.Storage;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Storage.Rows;

public sealed class MemoryRowStoreTests : RowStoreContract
{
    private readonly MemoryRowStore _rows = new();

    internal override IRowStore<RowText> Open(string grain, string state) => _rows.Open<RowText>(grain, state);

    [Fact]
    public async Task A_commit_of_what_was_not_prepared_is_refused()
    {
        var row = _rows.Open<RowText>("Account/9", "balance");
        await Assert.ThrowsAsync<InvalidOperationException>(
            async () => await row.StoreAsync(null, RowMetadata.Empty, [], 1, null, default));
        Assert.Equal(0, _rows.Count);
    }
}
