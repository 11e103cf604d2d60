using Polyjuice.Publishing;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Publishing;

public sealed class MemoryPolicyEntriesTests : PolicyEntriesContract
{
    private protected override ValueTask<IPolicyEntries> OpenAsync() => new(new MemoryPolicyEntries());

    private protected override IPolicyEntries Another() => Entries;

    [Fact]
    public async Task Who_watches_hears_of_an_entry_until_it_ends_that()
    {
        var heard = 0;
        var watch = Entries.Watch(() => heard++);
        await Entries.CreateAsync(1, new byte[1], default);
        watch!.Dispose();
        await Entries.CreateAsync(2, new byte[1], default);

        Assert.Equal(1, heard);
    }
}
