using System.Buffers.Binary;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Specialized;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;
using Polyjuice.Cli;
using Polyjuice.Cli.Logs;

namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>
/// Containers that hold what nobody here has written, or not like this any more: refused with blob and offset and what
/// to do, and left as they are. And how the tool looks at them.
/// </summary>
[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class WrongBlobsTests(AzuriteFixture azurite)
{
    private const string Segment = "p00000/00000000000000000000.log";
    private const string Checkpoint = "p00000/00000000000000000003.checkpoint";

    [ConditionalFact]
    public async Task A_damaged_batch_in_the_middle_is_named_with_blob_and_offset()
    {
        var options = await FillAsync();
        await ChangeAsync(options, Segment, bytes => bytes[134] ^= 1);
        var before = await ReadAsync(options, Segment);
        await using (var store = await OpenAsync(options))
        {
            var exception = await Assert.ThrowsAsync<LogDamagedException>(() => store.Open(0).End());
            Check(
                exception,
                $"{store.Location}/{Segment}",
                "offset 91",
                "checksum",
                $"polyjuice log verify --data {store.Location}",
                $"polyjuice log dump --data {store.Location}");
        }

        Assert.Equal(before, await ReadAsync(options, Segment));
    }

    [ConditionalFact]
    public async Task A_damaged_checkpoint_is_named()
    {
        var options = await FillAsync();
        await ChangeAsync(options, Checkpoint, bytes => bytes[45] ^= 1);
        await using var store = await OpenAsync(options);
        var checkpoint = await store.Open(0).GetCheckpointAsync(default);
        Check(
            await Assert.ThrowsAsync<LogDamagedException>(() => checkpoint!.ReadAll()),
            $"{store.Location}/{Checkpoint}",
            "offset",
            "polyjuice log verify");
    }

    [ConditionalFact]
    public async Task What_a_newer_version_has_written_is_refused()
    {
        var options = await FillAsync();
        await ChangeAsync(options, Segment, bytes => BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(8), 3));
        await using (var store = await OpenAsync(options))
        {
            Check(
                await Assert.ThrowsAsync<LogVersionException>(() => store.Open(0).End()),
                $"{store.Location}/{Segment}",
                "version 3",
                "Use the version that wrote it");
        }

        await ChangeAsync(options, "manifest.json", bytes => bytes[Array.IndexOf(bytes, (byte)'1')] = (byte)'8');
        Check(await Assert.ThrowsAsync<LogVersionException>(() => OpenAsync(options)), "manifest.json", "version 8");
    }

    [ConditionalFact]
    public async Task A_segment_of_another_cluster_is_refused()
    {
        var (options, other) = (await FillAsync(), await FillAsync());
        var foreign = await ReadAsync(other, Segment);
        await ChangeAsync(options, Segment, bytes => foreign.CopyTo(bytes, 0));
        await using var store = await OpenAsync(options);
        Check(await Assert.ThrowsAsync<LogDamagedException>(() => store.Open(0).End()), Segment, "another store");
    }

    [ConditionalFact]
    public async Task A_blob_of_another_type_is_said_to_be_somebody_elses()
    {
        var options = azurite.NewOptions();
        var device = await azurite.OpenAsync(options);
        await BlobClients.Container(options).GetBlockBlobClient(Segment).UploadAsync(new MemoryStream());
        Check(
            await Assert.ThrowsAsync<IOException>(
                async () => await device.AppendAsync(Segment, 0, new byte[] { 1 }, default)),
            "another type",
            "KeyPrefix",
            Segment);
    }

    [ConditionalFact]
    public async Task The_tool_verifies_and_dumps_a_container_and_names_what_is_damaged()
    {
        var options = await FillAsync("clusters/orders");
        await using var device = await azurite.OpenAsync(options);
        Environment.SetEnvironmentVariable(AzureLocation.ConnectionString, azurite.Server.ConnectionString);
        try
        {
            var (sound, text, _) = await ToolAsync("log", "verify", "--data", device.Location);
            Assert.Equal(0, sound);
            Assert.Contains(
                "partition 0: sound; batches 0 to 9 in 1 segment(s), 10 records", text, StringComparison.Ordinal);
            Assert.Contains("checkpoint of 3 batches (1 records", text, StringComparison.Ordinal);
            var (dumped, records, _) = await ToolAsync(
                "log", "dump", "--data", device.Location, "--partition", "0", "--from", "9", "--no-checkpoint");
            Assert.Equal(0, dumped);
            Assert.Equal("p0 batch 9 n1.1009: Ceiling timestamp=0.0", records.Trim());
            await ChangeAsync(options, Segment, bytes => bytes[134] ^= 1);
            var (damaged, report, _) = await ToolAsync("log", "verify", "--data", device.Location);
            Assert.Equal(1, damaged);
            Assert.Contains($"{device.Location}/{Segment} at offset 91", report, StringComparison.Ordinal);
            var (nothing, _, error) = await ToolAsync("log", "verify", "--data", device.Location + "x");
            Assert.Equal(2, nothing);
            Assert.Contains("There are no logs in", error, StringComparison.Ordinal);
        }
        finally
        {
            Environment.SetEnvironmentVariable(AzureLocation.ConnectionString, null);
        }
    }

    private static async Task<(int ExitCode, string Output, string Error)> ToolAsync(params string[] args)
    {
        var (output, error) = (new StringWriter(), new StringWriter());
        return (await Cli.CommandLine.RunAsync(args, output, error), output.ToString(), error.ToString());
    }

    /// <summary>Ten batches of one record (a ceiling) and a checkpoint of three.</summary>
    private async Task<AzureBlobLogOptions> FillAsync(string prefix = "")
    {
        var options = azurite.NewOptions();
        options.KeyPrefix = prefix;
        await using var store = await OpenAsync(options);
        byte[] batch = [1, 2, 0, 0, 0, 2, 0];
        for (var position = 0; position < 10; position++)
            Assert.Equal(AppendResult.Appended, await store.Open(0).Append(position, 1_000 + position, batch));
        await store.Open(0).WriteCheckpointAsync(3, LogCalls.Pieces(batch), default);
        return options;
    }

    private static Task<SegmentedLogStore> OpenAsync(AzureBlobLogOptions options) =>
        AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default);

    private static BlobClient Blob(AzureBlobLogOptions options, string name) =>
        BlobClients.Container(options)
            .GetBlobClient(options.KeyPrefix.Length == 0 ? name : $"{options.KeyPrefix}/{name}");

    private static async Task<byte[]> ReadAsync(AzureBlobLogOptions options, string name) =>
        (await Blob(options, name).DownloadContentAsync()).Value.Content.ToArray();

    private static async Task ChangeAsync(AzureBlobLogOptions options, string name, Action<byte[]> change)
    {
        var bytes = await ReadAsync(options, name);
        change(bytes);
        var blob = Blob(options, name);
        await blob.DeleteAsync();
        if (!name.EndsWith(".log", StringComparison.Ordinal))
        {
            await blob.UploadAsync(new BinaryData(bytes));
            return;
        }

        var segment = BlobClients.Container(options).GetAppendBlobClient(blob.Name);
        await segment.CreateAsync();
        await segment.AppendBlockAsync(new MemoryStream(bytes));
    }

    private static void Check(Exception exception, params string[] parts) =>
        Assert.All(parts, part => Assert.Contains(part, exception.Message, StringComparison.Ordinal));
}
