using Azure.Core.Pipeline;
using Azure.Storage.Blobs;

namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>
/// What repeats a request may be below everything that this project knows of; so the same once more on the wire.
/// </summary>
[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class ConnectionTests(AzuriteFixture azurite)
{
    private const string Segment = "p00000/00000000000000000000.log";

    [ConditionalFact]
    public async Task An_append_whose_connection_is_cut_before_the_answer_is_unknown_and_no_conflict()
    {
        await using var proxy = new CuttingProxy(azurite.Server.Endpoint.Port);
        using var http = new HttpClient();
        var options = azurite.NewOptions();
        options.CreateClient = client =>
        {
            client.Transport = new HttpClientTransport(http);
            return new BlobServiceClient(
                azurite.Server.ConnectionString.Replace(
                    $":{azurite.Server.Endpoint.Port}/", $":{proxy.Port}/", StringComparison.Ordinal),
                client);
        };
        var device = await azurite.OpenAsync(options);
        await device.CreateAsync(Segment, default);
        for (var i = 0; i < 5; i++)
        {
            var before = proxy.Connections;
            Assert.Equal(
                DeviceAppendResult.Appended, await device.AppendAsync(Segment, 2 * i, new[] { (byte)i }, default));
            proxy.CutNextAppend();
            await Assert.ThrowsAsync<IOException>(
                async () => await device.AppendAsync(Segment, (2 * i) + 1, new[] { (byte)i }, default));
            Assert.Equal(before + 1, proxy.Connections);
            Assert.Equal((2 * i) + 2, await device.GetLengthAsync(Segment, default));
            Assert.Equal(
                DeviceAppendResult.Conflict,
                await device.AppendAsync(Segment, (2 * i) + 1, new[] { (byte)i }, default));
        }
    }
}
