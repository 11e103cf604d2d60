using System.Text;
using Azure.Storage.Blobs;

namespace Polyjuice.Storage.AzureBlobs.Tests;

[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class AzureBlobTraceSinkTests(AzuriteFixture azurite) : IAsyncLifetime
{
    private readonly FaultyTransport _way = new();
    private BlobContainerClient _container = null!;

    public async Task InitializeAsync()
    {
        _container = BlobClients.Container(azurite.NewOptions(client => client.Transport = _way));
        await _container.CreateAsync();
    }

    public Task DisposeAsync() => Task.CompletedTask;

    [ConditionalFact]
    public async Task What_is_written_is_in_the_blob_in_order()
    {
        var sink = new AzureBlobTraceSink(_container, "traces/");
        await using (var stream = await sink.CreateAsync("1.pjtrace", default))
        {
            await stream.WriteAsync("one "u8.ToArray());
            await stream.FlushAsync();
            await stream.WriteAsync("two"u8.ToArray());
        }

        Assert.Equal("one two", await ReadAsync("traces/1.pjtrace"));
    }

    [ConditionalFact]
    public async Task An_append_whose_answer_got_lost_is_there_once()
    {
        await using var stream = await new AzureBlobTraceSink(_container).CreateAsync("1.pjtrace", default);
        await stream.WriteAsync("one "u8.ToArray());
        _way.LoseNextAnswer(FaultyTransport.IsAppend);
        await stream.WriteAsync("two "u8.ToArray());
        await stream.WriteAsync("three"u8.ToArray());

        Assert.Equal("one two three", await ReadAsync("1.pjtrace"));
    }

    [ConditionalFact]
    public async Task A_name_that_is_taken_is_refused_and_nothing_changes()
    {
        var sink = new AzureBlobTraceSink(_container);
        await using var stream = await sink.CreateAsync("1.pjtrace", default);
        await stream.WriteAsync("one"u8.ToArray());

        var refusal = await Assert.ThrowsAsync<IOException>(() => sink.CreateAsync("1.pjtrace", default));

        Assert.Contains("1.pjtrace", refusal.Message, StringComparison.Ordinal);
        Assert.Equal("one", await ReadAsync("1.pjtrace"));
    }

    [ConditionalFact]
    public async Task What_is_longer_than_one_append_goes_in_several()
    {
        await using var stream = await new AzureBlobTraceSink(_container).CreateAsync("1.pjtrace", default);
        var bytes = new byte[(4 << 20) + 5];
        Random.Shared.NextBytes(bytes);
        await stream.WriteAsync(bytes);

        Assert.Equal(
            bytes, (await _container.GetBlobClient("1.pjtrace").DownloadContentAsync()).Value.Content.ToArray());
    }

    private async Task<string> ReadAsync(string name) =>
        Encoding.UTF8.GetString((await _container.GetBlobClient(name).DownloadContentAsync()).Value.Content);
}
