using Microsoft.Extensions.Logging;
using Polyjuice.Storage;

namespace Polyjuice.Tests.Storage;

public sealed class FileLogStoreTests : IDisposable
{
    private const string FirstSegment = "00000000000000000000.log";
    private const string Dead = "dead";
    private readonly TestFolder _folder = new();
    private readonly LineLogger _lines = new();

    public void Dispose() => _folder.Dispose();

    // As where the folder is part of an image, or was restored on two machines: nothing in the files tells the two
    // apart.
    [Fact]
    public async Task A_copy_of_a_folder_is_another_store()
    {
        await (await Open()).DisposeAsync();
        using var copy = new TestFolder();
        File.Copy(_folder.File("manifest.json"), copy.File("manifest.json"));

        await using var one = await Open();
        await using var other = await FileLogStore.OpenAsync(
            new FileLogOptions { Directory = copy.Path }, _lines, CancellationToken.None);

        Assert.NotEqual(one.Identity, other.Identity);
    }

    [Fact]
    public async Task What_was_appended_is_there_after_reopening()
    {
        await using (var store = await Open())
        {
            await store.Open(1).Fill(10, 300);
        }

        await using var again = await Open(partitions: 2);
        Assert.Equal(10, await again.Open(1).End());
        Assert.Equal(LogCalls.Batch(7, 300), (await again.Open(1).Read(7, 8)).Single());
        Assert.Equal(0, await again.Open(0).End());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    [InlineData(42)]
    [InlineData(43)]
    [InlineData(343)]
    public async Task An_end_that_a_crash_tore_is_cut_and_reported_and_the_log_goes_on(int cut)
    {
        await using (var store = await Open())
        {
            await store.Open(0).Fill(3, 300);
        }

        var path = Segment(0);
        var whole = new FileInfo(path).Length;
        Resize(path, whole - cut);
        await using var again = await Open();
        Assert.Equal(2, await again.Open(0).End());
        var line = Assert.Single(_lines.Lines, line => line.Contains("cut", StringComparison.Ordinal));
        Assert.Contains(path, line, StringComparison.Ordinal);
        Assert.Contains($"cut {344 - cut} bytes at offset {whole - 344}", line, StringComparison.Ordinal);
        Assert.Equal(whole - 344, new FileInfo(path).Length);
        Assert.Equal(AppendResult.Appended, await again.Open(0).Append(2, 99, 1));
        Assert.Equal([1], (await again.Open(0).Read(2, 3)).Single());
    }

    [Fact]
    public async Task A_last_batch_with_holes_is_cut_too()
    {
        await using (var store = await Open())
        {
            await store.Open(0).Fill(3, 3_000);
        }

        Zero(Segment(0), new FileInfo(Segment(0)).Length - 1_024, 512);
        await using var again = await Open();
        Assert.Equal(2, await again.Open(0).End());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(17)]
    [InlineData(40)]
    [InlineData(60)]
    public async Task A_segment_that_was_never_begun_is_begun_again(int left)
    {
        await using (var store = await Open())
        {
            await store.Open(0).Fill(1);
        }

        Resize(Segment(0), left);
        await using var again = await Open();
        Assert.Equal(0, await again.Open(0).End());
        await again.Open(0).Fill(2);
        Assert.Equal(2, await again.Open(0).End());
    }

    [Fact]
    public async Task Damage_before_the_end_is_refused_and_nothing_is_cut()
    {
        await using (var store = await Open())
        {
            await store.Open(0).Fill(5, 300);
        }

        var path = Segment(0);
        var length = new FileInfo(path).Length;
        Zero(path, 40 + 344 + 100, 8);
        await using var again = await Open();
        var exception = await Assert.ThrowsAsync<LogDamagedException>(() => again.Open(0).End());
        Assert.Contains(path, exception.Message, StringComparison.Ordinal);
        Assert.Equal(40 + 344, exception.Offset);
        Assert.Equal(length, new FileInfo(path).Length);
    }

    [Fact]
    public async Task Damage_in_an_earlier_segment_is_found_when_it_is_read()
    {
        await using (var store = await Open(segmentBytes: 4_096))
        {
            await store.Open(0).Fill(50, 300);
        }

        Zero(Segment(0), 1_000, 8);
        await using var again = await Open();
        Assert.Equal(50, await again.Open(0).End());
        await Assert.ThrowsAsync<LogDamagedException>(() => again.Open(0).Read(0, 50));
    }

    [Fact]
    public async Task Room_is_made_ahead_and_given_back_when_the_store_is_closed()
    {
        await using (var store = await Open())
        {
            await store.Open(0).Fill(3, 300);
            Assert.True(new FileInfo(Segment(0)).Length >= 64 << 10, "no room was made");
            await store.Open(0).Fill(1_000, 300);
            Assert.InRange(new FileInfo(Segment(0)).Length, 40 + (1_003 * 344), 2 * (40 + (1_003 * 344)));
        }

        Assert.Equal(40 + (1_003 * 344), new FileInfo(Segment(0)).Length);
    }

    [Fact]
    public async Task Room_that_a_dead_process_has_left_is_cut_without_a_word_and_the_log_goes_on()
    {
        await using (var store = await Open())
        {
            await store.Open(0).Fill(3, 300);
            Die();
        }

        var path = Segment(0, Dead);
        Assert.True(new FileInfo(path).Length >= 64 << 10, "there is no room to cut");
        await using (var again = await Open(directory: Dead))
        {
            Assert.Equal(3, await again.Open(0).End());
            Assert.Equal(40 + (3 * 344), new FileInfo(path).Length);
            Assert.Equal(AppendResult.Appended, await again.Open(0).Append(3, 99, 1));
        }

        Assert.DoesNotContain(_lines.Lines, static line => line.Contains("cut", StringComparison.Ordinal));
        await using var last = await Open(directory: Dead);
        Assert.Equal([1], (await last.Open(0).Read(3, 4)).Single());
    }

    [Fact]
    public async Task Room_in_ended_segments_is_no_damage()
    {
        await using (var store = await Open(segmentBytes: 4_096))
        {
            await store.Open(0).Fill(50, 300);
            Die();
        }

        await using var again = await Open(directory: Dead);
        Assert.Equal(50, await again.Open(0).End());
        var batches = await again.Open(0).Read(0, 50);
        for (var i = 0; i < 50; i++) Assert.Equal(LogCalls.Batch(i, 300), batches[i]);
    }

    [Theory]
    [InlineData(300, 44, 300)]
    [InlineData(40, 200, 344)]
    [InlineData(8, 336, 6)]
    public async Task What_a_crash_tore_within_the_room_is_cut_and_its_own_bytes_are_reported(
        int at, int count, int reported)
    {
        await using (var store = await Open())
        {
            await store.Open(0).Fill(3, 300);
            Die();
        }

        const int Torn = 40 + (2 * 344);
        var path = Segment(0, Dead);

        // A batch ends with its checksum. Once in 256 logs that ends with a zero, which nothing tells from room.
        Overwrite(path, Torn + 343, [1]);
        Zero(path, Torn + at, count);
        await using var again = await Open(directory: Dead);
        Assert.Equal(2, await again.Open(0).End());
        Assert.Contains(
            _lines.Lines, line => line.Contains($"cut {reported} bytes at offset {Torn}", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Zeros_before_a_batch_are_damage_and_not_room()
    {
        await using (var store = await Open())
        {
            await store.Open(0).Fill(5, 300);
            Die();
        }

        Zero(Segment(0, Dead), 40 + 344, 344);
        await using var again = await Open(directory: Dead);
        var exception = await Assert.ThrowsAsync<LogDamagedException>(() => again.Open(0).End());
        Assert.Equal(40 + 344, exception.Offset);
    }

    [Theory]
    [InlineData(2 * 344, 344, "nothing follows")]
    [InlineData(344, 2 * 344, "nothing follows")]
    [InlineData((2 * 344) + 100, 8, "checksum of batch 2 is wrong")]
    [InlineData(-40, 40 + (3 * 344), "nothing follows")]
    public async Task Zeros_where_appends_were_answered_are_neither_room_nor_torn(int at, int count, string what)
    {
        await using (var store = await Open())
        {
            await store.Open(0).Fill(3, 300);
            Die();
        }

        var path = Segment(0, Dead);
        var length = new FileInfo(path).Length;
        Overwrite(path, 40 + at, count);
        await using (var again = await Open(directory: Dead))
        {
            var exception = await Assert.ThrowsAsync<LogDamagedException>(() => again.Open(0).End());
            Assert.Contains(what, exception.Message, StringComparison.Ordinal);
            Assert.Contains($"answered up to offset {40 + (3 * 344)}", exception.Message, StringComparison.Ordinal);
            Assert.Equal(length, new FileInfo(path).Length);
        }

        var report = new LogReport { Partition = 0 };
        await foreach (var batch in (await LogInspector.OpenFilesAsync(
            _folder.File(Dead), CancellationToken.None)).ReadAsync(
            0, report, CancellationToken.None))
            Assert.True(batch.Position < 2);
        Assert.False(Assert.Single(report.Problems).IsTornTail);
    }

    [Fact]
    public async Task A_segment_that_was_cut_off_in_the_middle_of_what_was_answered_is_damaged_and_starts_once_that_is_forgotten()
    {
        await using (var store = await Open())
        {
            await store.Open(0).Fill(3, 300);
        }

        await using (var file = File.OpenWrite(Segment(0))) file.SetLength(40 + 344);
        await using (var again = await Open()) await Assert.ThrowsAsync<LogDamagedException>(() => again.Open(0).End());
        Forget(Segment(0));
        await using var last = await Open();
        Assert.Equal(1, await last.Open(0).End());
        await last.Open(0).Fill(2);
    }

    [Fact]
    public async Task What_is_known_of_a_segment_says_nothing_when_it_is_torn_and_goes_with_the_segment()
    {
        await using (var store = await Open(segmentBytes: 4_096))
        {
            await store.Open(0).Fill(50, 300);
            await store.Open(0).WriteCheckpointAsync(50, LogCalls.Pieces([7]), CancellationToken.None);
            await store.Open(0).TrimAsync(CancellationToken.None);
        }

        var known = Assert.Single(Directory.EnumerateFiles(_folder.File("p00000"), "*.answered"));
        Assert.Equal(Assert.Single(Directory.EnumerateFiles(_folder.File("p00000"), "*.log")) + ".answered", known);
        Overwrite(known, 1, 1);
        await using (var file = File.OpenWrite(known)) file.SetLength(9);
        await using var again = await Open();
        Assert.Equal(50, await again.Open(0).End());
        await again.Open(0).Fill(1);
        Assert.Equal(12, new FileInfo(known).Length);
    }

    [Fact]
    public async Task A_log_with_room_at_its_end_is_sound_to_who_only_looks()
    {
        await using var store = await Open();
        await store.Open(0).Fill(3, 300);
        var inspector = await LogInspector.OpenFilesAsync(_folder.File(""), CancellationToken.None);
        var report = new LogReport { Partition = 0 };
        var batches = 0;
        await foreach (var batch in inspector.ReadAsync(0, report, CancellationToken.None)) batches++;
        Assert.Equal(3, batches);
        Assert.Empty(report.Problems);
        Assert.Equal(40 + (3 * 344), report.Bytes);
    }

    [Fact]
    public async Task No_room_is_made_where_none_is_wanted()
    {
        await using var store = await Open(room: 0);
        await store.Open(0).Fill(3, 300);
        Assert.Equal(40 + (3 * 344), new FileInfo(Segment(0)).Length);
    }

    [Fact]
    public async Task A_second_user_is_refused_and_told_who_the_first_is()
    {
        await using (await Open())
        {
            var exception = await Assert.ThrowsAsync<LogDeviceLockedException>(() => Open());
            Assert.Contains($"process {Environment.ProcessId}", exception.Message, StringComparison.Ordinal);
            Assert.Contains(_folder.Path, exception.Message, StringComparison.Ordinal);
        }

        await using var after = await Open();
        Assert.Equal(2, after.PartitionCount);
    }

    [Fact]
    public void A_segment_takes_an_append_only_at_its_exact_end()
    {
        using var segment = new FileSegment(MakeFile(), flush: true, roomBytes: 0, null);
        Assert.Equal(DeviceAppendResult.Appended, segment.Append(0, [1, 2, 3]));
        Assert.Equal(DeviceAppendResult.Conflict, segment.Append(0, [4]));
        Assert.Equal(DeviceAppendResult.Conflict, segment.Append(4, [4]));
        Assert.Equal(DeviceAppendResult.Appended, segment.Append(3, [4]));
        var buffer = new byte[10];
        Assert.Equal(4, segment.Read(0, buffer));
        Assert.Equal([1, 2, 3, 4], buffer[..4]);
    }

    [Fact]
    public void A_full_disk_is_said_and_the_append_goes_through_once_there_is_room()
    {
        if (!File.Exists("/dev/full")) return;
        using var segment = new FileSegment("/dev/full", flush: false, roomBytes: 0, null);
        var raw = Assert.ThrowsAny<IOException>(() => segment.Append(0, [1]));
        Assert.Contains("disk of /x is full", FileErrors.Explain(raw, "/x").Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_that_is_a_file_is_refused()
    {
        File.WriteAllText(_folder.File("data"), "");
        await Assert.ThrowsAnyAsync<IOException>(() => Open(directory: "data"));
    }

    [Fact]
    public async Task What_a_crash_left_of_an_object_is_removed_and_never_listed()
    {
        File.WriteAllText(_folder.File("manifest.json.3.tmp"), "half");
        await using var store = await Open();
        Assert.False(File.Exists(_folder.File("manifest.json.3.tmp")));
    }

    [Fact]
    public async Task Checkpoints_and_trimming_work_on_files()
    {
        await using (var store = await Open(segmentBytes: 4_096))
        {
            await store.Open(0).Fill(50, 300);
            await store.Open(0)
                .WriteCheckpointAsync(50, LogCalls.Pieces(new byte[100_000], [7]), CancellationToken.None);
            Assert.True(await store.Open(0).TrimAsync(CancellationToken.None) > 40);
        }

        Assert.Single(Directory.EnumerateFiles(_folder.File("p00000"), "*.log"));
        await using var again = await Open();
        var checkpoint = await again.Open(0).GetCheckpointAsync(CancellationToken.None);
        Assert.Equal(100_001, (await checkpoint!.ReadAll()).Length);
        await again.Open(0).Fill(1);
        Assert.Equal(51, await again.Open(0).End());
    }

    [Theory]
    [InlineData(5, true)]
    [InlineData(2, false)]
    [InlineData(1, false)] // The default, which nobody may have set.
    public async Task Another_number_of_new_partitions_than_at_creation_is_warned_about(int asked, bool warned)
    {
        await using (await Open())
        {
        }

        await using var again = await FileLogStore.OpenAsync(
            new FileLogOptions { Directory = _folder.File(""), NewPartitions = asked }, _lines, CancellationToken.None);

        Assert.Equal(2, again.PartitionCount);
        Assert.Equal(
            warned, _lines.Lines.Any(line => line.Contains($"NewPartitions = {asked}", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Options_out_of_bounds_are_refused_by_name()
    {
        var exception = await Assert.ThrowsAsync<System.ComponentModel.DataAnnotations.ValidationException>(
            () => Open(segmentBytes: 1));
        Assert.Contains("SegmentBytes", exception.Message, StringComparison.Ordinal);
    }

    private string Segment(int partition, string directory = "") =>
        _folder.File(directory, $"p{partition:D5}", FirstSegment);

    /// <summary>What is there if the process dies now.</summary>
    private void Die()
    {
        foreach (var path in Directory.EnumerateFiles(_folder.File(""), "*", SearchOption.AllDirectories))
        {
            if (Path.GetFileName(path) == "lock") continue;
            var copy = Path.Combine(_folder.File(Dead), Path.GetRelativePath(_folder.File(""), path));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(path, copy);
        }
    }

    private string MakeFile()
    {
        var path = _folder.File("segment");
        File.WriteAllBytes(path, []);
        return path;
    }

    private Task<SegmentedLogStore> Open(
        int partitions = 0, long segmentBytes = 1 << 20, string directory = "", long room = 1 << 20) =>
        FileLogStore.OpenAsync(
            new FileLogOptions
            {
                Directory = _folder.File(directory),
                Partitions = partitions,
                NewPartitions = 2,
                SegmentBytes = segmentBytes,
                PreallocateBytes = room,
                Threads = 1
            },
            _lines, CancellationToken.None);

    private static void Resize(string path, long length)
    {
        Forget(path);
        using var file = File.OpenWrite(path);
        file.SetLength(length);
    }

    private static void Zero(string path, long offset, int count)
    {
        Forget(path);
        Overwrite(path, offset, count);
    }

    /// <summary>As if the last append there had never been answered.</summary>
    private static void Forget(string path)
    {
        File.Delete(path + ".answered");
        File.Delete(Path.GetDirectoryName(path) + ".answered");
    }

    private static void Overwrite(string path, long offset, int count) => Overwrite(path, offset, new byte[count]);

    private static void Overwrite(string path, long offset, byte[] bytes)
    {
        using var file = File.OpenWrite(path);
        file.Position = offset;
        file.Write(bytes);
    }

    private sealed class LineLogger : ILogger
    {
        public List<string> Lines { get; } = [];

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            lock (Lines) Lines.Add(formatter(state, exception));
        }
    }
}
