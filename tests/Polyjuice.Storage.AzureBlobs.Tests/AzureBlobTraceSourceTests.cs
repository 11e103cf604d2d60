using System.Text;
using Azure.Storage.Blobs;

namespace Polyjuice.Storage.AzureBlobs.Tests;

[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class AzureBlobTraceSourceTests(AzuriteFixture azurite) : IAsyncLifetime
{
    private BlobContainerClient _container = null!;

    public async Task InitializeAsync()
    {
        _container = BlobClients.Container(azurite.NewOptions());
        await _container.CreateAsync();
    }

    public Task DisposeAsync() => Task.CompletedTask;

    [ConditionalFact]
    public async Task What_the_sink_writes_is_listed_and_read_while_it_goes_on()
    {
        await using var stream = await new AzureBlobTraceSink(_container, "traces/").CreateAsync(
            "1-2-0000.pjtrace", default);
        await _container.GetBlobClient("traces/readme.txt").UploadAsync(BinaryData.FromString("no trace"));
        await _container.GetBlobClient("others/1-2-0000.pjtrace").UploadAsync(BinaryData.FromString("another's"));
        await stream.WriteAsync("one "u8.ToArray());
        var source = new AzureBlobTraceSource(_container, "traces/");

        var file = Assert.Single(await source.ListAsync(default));
        using (var reader = new StreamReader(source.Open(file.Name), Encoding.UTF8))
            Assert.Equal("one ", reader.ReadToEnd());
        await stream.WriteAsync("two"u8.ToArray());
        using (var reader = new StreamReader(source.Open(file.Name), Encoding.UTF8))
            Assert.Equal("one two", reader.ReadToEnd());

        Assert.Equal(("1-2-0000.pjtrace", 4L), (file.Name, file.Bytes));
        Assert.Equal(7, Assert.Single(await source.ListAsync(default)).Bytes);
    }

    [ConditionalFact]
    public async Task A_file_is_deleted_and_one_that_is_gone_is_no_error_to_delete_and_one_to_open()
    {
        await (await new AzureBlobTraceSink(_container).CreateAsync("1-2-0000.pjtrace", default)).DisposeAsync();
        var source = new AzureBlobTraceSource(_container);

        await source.DeleteAsync("1-2-0000.pjtrace", default);
        await source.DeleteAsync("1-2-0000.pjtrace", default);

        Assert.Empty(await source.ListAsync(default));
        Assert.Throws<FileNotFoundException>(() => source.Open("1-2-0000.pjtrace"));
    }

    [ConditionalFact]
    public async Task A_container_that_is_not_there_is_an_error_that_names_it()
    {
        await _container.DeleteAsync();

        var failure = await Assert.ThrowsAsync<IOException>(
            () => new AzureBlobTraceSource(_container).ListAsync(default));

        Assert.Contains(_container.Name, failure.Message, StringComparison.Ordinal);
    }
}
