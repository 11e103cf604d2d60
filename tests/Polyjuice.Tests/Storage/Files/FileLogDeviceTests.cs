using Polyjuice.Storage;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Storage;

public sealed class FileLogDeviceTests : LogDeviceContract
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task A_list_goes_on_when_what_it_lists_is_deleted()
    {
        const int Names = 50;
        await using var device = await OpenAsync();
        var listing = Task.Run(async () =>
        {
            for (var i = 0; i < 500; i++) Assert.True((await device.ListAsync("p/", CancellationToken.None)).Count <= Names);
        });
        while (!listing.IsCompleted)
        {
            for (var i = 0; i < Names; i++) await device.PutAsync($"p/{i}", StoreManifest.Pieces(new byte[] { 1 }), overwrite: true, CancellationToken.None);
            for (var i = 0; i < Names; i++) await device.DeleteAsync($"p/{i}", CancellationToken.None);
        }

        await listing;
    }

    protected override ValueTask<ILogDevice> OpenAsync() => new(new FileLogDevice(_folder.File("logs"), flush: true));

    protected override ValueTask CleanUpAsync()
    {
        _folder.Dispose();
        return ValueTask.CompletedTask;
    }
}
