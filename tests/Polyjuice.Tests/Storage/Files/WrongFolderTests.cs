using System.Buffers.Binary;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Partitions;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Storage;

/// <summary>
/// Folders that are none, may not be used, or hold what another cluster
/// or version has written. Every message says which file, and what to do.
/// </summary>
public sealed class WrongFolderTests : IDisposable
{
    private const string FirstSegment = "00000000000000000000.log";
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_folder_that_is_a_file_is_refused_and_so_is_one_below_a_file()
    {
        File.WriteAllText(_folder.File("data"), "mine");
        var exception = await Assert.ThrowsAsync<IOException>(() => Open("data"));
        Check(exception, $"{_folder.File("data")} is a file", "another folder");
        Check(
            await Assert.ThrowsAsync<IOException>(() => Open("data", "logs")),
            $"{_folder.File("data")} is a file",
            _folder.File("data", "logs"));
        Assert.Equal("mine", File.ReadAllText(_folder.File("data")));
    }

    [Fact]
    public async Task A_path_that_is_too_long_is_refused()
    {
        var exception = await Assert.ThrowsAnyAsync<IOException>(
            () => Open([.. Enumerable.Repeat(new string('x', 200), 25)]));
        Check(exception, "longer than", "shorter path");
        Check(
            await Assert.ThrowsAnyAsync<IOException>(() => Open(new string('y', 300))), "longer than", "shorter path");
    }

    [Fact]
    public async Task A_folder_that_may_not_be_used_is_refused()
    {
        if (!OperatingSystem.IsLinux()) return;

        // Of root too: the kernel's own file system takes no folders from anybody.
        var exception = await Assert.ThrowsAsync<UnauthorizedAccessException>(
            () => FileLogStore.OpenAsync(
                new FileLogOptions { Directory = "/sys/polyjuice" }, NullLogger.Instance, CancellationToken.None));
        Check(exception, "/sys/polyjuice", "may not", "permission to read and write");
    }

    [Theory]
    [InlineData(28, "is full", "make room")]
    [InlineData(122, "quota", "raise it")]
    [InlineData(30, "read-only", "Mount it writable")]
    [InlineData(5, "failed", "system's log")]
    [InlineData(27, "size", "ulimit -f")]
    [InlineData(24, "too many files", "ulimit -n")]
    public void What_the_system_says_becomes_what_to_do(int error, params string[] parts) =>
        Check(FileErrors.Explain(new IOException("raw", error), "/data/p00000"), ["/data/p00000", .. parts]);

    [Fact]
    public async Task A_segment_of_another_clusters_logs_is_refused_and_named()
    {
        await FillAsync("one");
        await FillAsync("other");
        File.Copy(
            _folder.File("other", "p00000", FirstSegment),
            _folder.File("one", "p00000", FirstSegment),
            overwrite: true);
        await using var store = await Open("one");
        var exception = await Assert.ThrowsAsync<LogDamagedException>(() => store.Open(0).End());
        Check(
            exception,
            _folder.File("one", "p00000", FirstSegment),
            "offset 0",
            "another store",
            "polyjuice log verify");
    }

    [Fact]
    public async Task A_partition_of_other_logs_and_another_number_of_partitions_are_refused()
    {
        await FillAsync("one");
        Directory.Move(_folder.File("one", "p00000"), _folder.File("one", "p00001"));
        await using (var store = await Open("one"))
        {
            Check(await Assert.ThrowsAsync<LogDamagedException>(() => store.Open(1).End()), "p00001", "of partition 0");
        }

        var exception = await Assert.ThrowsAsync<LogUnusableException>(
            () => FileLogStore.OpenAsync(
                new FileLogOptions { Directory = _folder.File("one"), Partitions = 5 },
                NullLogger.Instance,
                CancellationToken.None));
        Check(exception, "created with 2 partition(s), and 5 were asked for", "leave it out");
    }

    [Fact]
    public async Task A_folder_whose_manifest_is_gone_or_is_none_is_refused()
    {
        await FillAsync("one");
        File.Delete(_folder.File("one", "manifest.json"));
        Check(
            await Assert.ThrowsAsync<LogDamagedException>(() => Open("one")),
            "manifest.json",
            "is missing",
            $"p00000/{FirstSegment}");
        File.WriteAllText(_folder.File("one", "manifest.json"), "{ \"format\": \"somebody's\" }");
        Check(
            await Assert.ThrowsAsync<LogDamagedException>(() => Open("one")),
            "manifest.json",
            "not of Polyjuice's logs");
    }

    [Fact]
    public async Task What_a_newer_version_has_written_is_refused_wherever_it_is_and_left_as_it_is()
    {
        await FillAsync("one");
        var manifest = _folder.File("one", "manifest.json");
        var text = File.ReadAllText(manifest);
        File.WriteAllText(manifest, text.Replace("\"version\": 1", "\"version\": 7", StringComparison.Ordinal));
        Check(
            await Assert.ThrowsAsync<LogVersionException>(() => Open("one")),
            manifest,
            "version 7",
            "up to 1",
            "Use the version that wrote it");
        File.WriteAllText(manifest, text);

        var segment = _folder.File("one", "p00000", FirstSegment);
        var bytes = File.ReadAllBytes(segment);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(8), 2);
        File.WriteAllBytes(segment, bytes);
        await using var store = await Open("one");
        Check(await Assert.ThrowsAsync<LogVersionException>(() => store.Open(0).End()), segment, "version 2");
        Assert.Equal(bytes, File.ReadAllBytes(segment));
    }

    [Fact]
    public async Task A_batch_or_record_of_a_newer_version_is_named_by_its_position()
    {
        await using var store = await Open("one");
        var log = store.Open(0);
        var batch = new ByteWriter();
        LogRecords.WriteCeiling(batch, 7);
        await log.AppendAsync(0, new BatchId(1, 1), batch.WrittenMemory, CancellationToken.None);
        await log.Append(1, 2, 9, 1, 2, 3);
        Check(
            await Assert.ThrowsAsync<LogUnusableException>(
                () => Checkpointer.ReadAsync(log, 2, CancellationToken.None)),
            "Batch 1",
            "version 9",
            $"polyjuice log dump --data {_folder.File("one")}");
        await using var other = await Open("two");
        await other.Open(0).Append(0, 1, 1, 1, 0, 0, 0, 99);
        Check(
            await Assert.ThrowsAsync<LogUnusableException>(
                () => Checkpointer.ReadAsync(other.Open(0), 1, CancellationToken.None)),
            "Batch 0",
            "kind 99",
            "newer version");
    }

    [Theory]
    [InlineData(8, 2, "version 2")]
    [InlineData(50, 1, "checksum")]
    [InlineData(-3, 1, "its end")]
    public async Task A_checkpoint_that_is_damaged_or_of_a_newer_version_is_refused_and_named(
        int at, byte xor, string what)
    {
        await using (var store = await Open("one"))
        {
            await store.Open(0).Fill(4);
            var piece = new ByteWriter();
            LogRecords.WriteCeiling(piece, long.MaxValue);
            await store.Open(0)
                .WriteCheckpointAsync(3, LogCalls.Pieces(piece.Written.ToArray()), CancellationToken.None);
        }

        var path = _folder.File("one", "p00000", "00000000000000000003.checkpoint");
        var bytes = File.ReadAllBytes(path);
        var place = at < 0 ? bytes.Length + at : at;
        bytes[place] = at == 8 ? xor : (byte)(bytes[place] ^ xor);
        File.WriteAllBytes(path, bytes);
        await using var again = await Open("one");
        var exception = await Assert.ThrowsAnyAsync<LogUnusableException>(
            () => Checkpointer.ReadAsync(again.Open(0), 4, CancellationToken.None));
        Check(exception, path, what);
        if (exception is LogDamagedException) Check(exception, "offset", "polyjuice log verify", "polyjuice log dump");
        Assert.Equal(bytes, File.ReadAllBytes(path));
    }

    private async Task FillAsync(string folder)
    {
        await using var store = await Open(folder);
        await store.Open(0).Fill(3, 100);
    }

    private static void Check(Exception exception, params string[] parts) =>
        Assert.All(parts, part => Assert.Contains(part, exception.Message, StringComparison.Ordinal));

    private Task<SegmentedLogStore> Open(params string[] names) => FileLogStore.OpenAsync(
        new FileLogOptions { Directory = _folder.File(names), NewPartitions = 2, Threads = 1 }, NullLogger.Instance,
        CancellationToken.None);
}
