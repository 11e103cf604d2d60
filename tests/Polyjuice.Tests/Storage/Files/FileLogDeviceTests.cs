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
            for (var i = 0; i < 500; i++)
                Assert.True((await device.ListAsync("p/", CancellationToken.None)).Count <= Names);
        });
        while (!listing.IsCompleted)
        {
            for (var i = 0; i < Names; i++)
                await device.PutAsync(
                    $"p/{i}", StoreManifest.Pieces(new byte[] { 1 }), overwrite: true, CancellationToken.None);
            for (var i = 0; i < Names; i++) await device.DeleteAsync($"p/{i}", CancellationToken.None);
        }

        await listing;
    }

    [Fact]
    public async Task Nobody_but_the_owner_can_read_what_is_made()
    {
        if (OperatingSystem.IsWindows()) return; // Permissions are the parent folder's.

        await using (var device = await OpenAsync())
        {
            await device.CreateAsync("p00000/1.log", CancellationToken.None);
            Assert.Equal(
                DeviceAppendResult.Appended,
                await device.AppendAsync("p00000/1.log", 0, new byte[] { 1 }, CancellationToken.None));
            await device.PutAsync(
                "p00000/1.checkpoint",
                StoreManifest.Pieces(new byte[] { 1 }),
                overwrite: true,
                CancellationToken.None);
        }

        var made = new DirectoryInfo(_folder.File("logs"));
        Assert.Equal(
            ["1.checkpoint", "1.log", "1.log.answered", "lock", "lock.holder", "p00000.answered"],
            made.EnumerateFiles("*", SearchOption.AllDirectories).Select(file => file.Name)
                .Order(StringComparer.Ordinal));
        Assert.All([made, .. made.EnumerateFileSystemInfos("*", SearchOption.AllDirectories)], one => Assert.Equal(
            (UnixFileMode)0,
            one.UnixFileMode & ~(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute)));
    }

    protected override ValueTask<ILogDevice> OpenAsync() => new(new FileLogDevice(_folder.File("logs"), flush: true));

    protected override ValueTask CleanUpAsync()
    {
        _folder.Dispose();
        return ValueTask.CompletedTask;
    }
}
