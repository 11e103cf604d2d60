using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Storage;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Storage;

/// <summary>Real disks that are full, or that nothing may be written to.</summary>
[RequiresMount]
public sealed class DiskTests : IDisposable
{
    private readonly SmallDisk _disk = new(1_024);

    public void Dispose() => _disk.Dispose();

    [ConditionalFact]
    public async Task A_disk_that_gets_full_is_said_and_what_was_answered_is_there_when_the_log_goes_on()
    {
        await using var store = await Open();
        var log = store.Open(0);
        await log.Fill(10, 1_000);
        _disk.Fill(leave: 20_000);
        var position = await log.End();
        IOException? full = null;
        while (full is null)
        {
            try
            {
                Assert.Equal(
                    AppendResult.Appended,
                    await log.Append(position, 1_000 + position, LogCalls.Batch(position, 3_000)));
                position++;
            }
            catch (IOException exception)
            {
                full = exception;
            }
        }

        Check(full, "is full", "make room", "goes on by itself");
        await Assert.ThrowsAsync<IOException>(
            () => log.Append(position, 1_000 + position, LogCalls.Batch(position, 3_000)));
        Assert.Equal(position, await log.End());
        _disk.MakeRoom();
        Assert.Equal(
            AppendResult.Appended, await log.Append(position, 1_000 + position, LogCalls.Batch(position, 3_000)));
        await store.DisposeAsync();
        await using var again = await Open();
        Assert.Equal(position + 1, await again.Open(0).End());
        var all = await again.Open(0).Read(0, position + 1);
        for (var i = 10; i <= position; i++) Assert.Equal(LogCalls.Batch(i, 3_000), all[i]);
    }

    [ConditionalFact]
    public async Task A_checkpoint_for_which_there_is_no_room_is_not_there_at_all_and_the_one_before_is()
    {
        await using var store = await Open();
        var log = store.Open(0);
        await log.Fill(10, 1_000);
        await log.WriteCheckpointAsync(5, LogCalls.Pieces([5]), CancellationToken.None);
        _disk.Fill(leave: 20_000);
        Check(
            await Assert.ThrowsAsync<IOException>(
                async () => await log.WriteCheckpointAsync(
                    10, LogCalls.Pieces(new byte[100_000]), CancellationToken.None)),
            "is full",
            "make room");
        Assert.Equal(5, (await log.GetCheckpointAsync(CancellationToken.None))!.Position);
        Assert.Empty(Directory.EnumerateFiles(_disk.Path, "*.tmp", SearchOption.AllDirectories));
        Assert.Equal(0, await log.TrimAsync(CancellationToken.None));
        _disk.MakeRoom();
        await log.WriteCheckpointAsync(10, LogCalls.Pieces(new byte[100_000]), CancellationToken.None);
        Assert.Equal(10, (await log.GetCheckpointAsync(CancellationToken.None))!.Position);
    }

    [ConditionalFact]
    public async Task A_full_disk_is_said_at_the_start()
    {
        _disk.Fill();
        Check(await Assert.ThrowsAsync<IOException>(Open), "is full", "make room");
        _disk.MakeRoom();
        await using var store = await Open();
        await store.Open(0).Fill(1);
    }

    [ConditionalFact]
    public async Task A_disk_that_is_mounted_read_only_is_said_at_the_start_and_while_running_and_nothing_is_lost()
    {
        await using (var store = await Open())
        {
            var log = store.Open(0);
            await log.Fill(3, 100);
            await log.Append(3, 1_003, 3);
        }

        _disk.MakeReadOnly();
        Check(await Assert.ThrowsAsync<IOException>(Open), "mounted read-only", "Mount it writable");

        // Looking needs no right to write.
        var inspector = await LogInspector.OpenFilesAsync(Path.Combine(_disk.Path, "data"), CancellationToken.None);
        Assert.Equal(4, (await inspector.VerifyAsync(0, CancellationToken.None)).End);
        _disk.MakeWritable();
        await using var again = await Open();
        Assert.Equal(4, await again.Open(0).End());
    }

    private void Check(IOException exception, params string[] parts)
    {
        Assert.Contains(_disk.Path, exception.Message, StringComparison.Ordinal);
        Assert.All(parts, part => Assert.Contains(part, exception.Message, StringComparison.Ordinal));
    }

    private Task<SegmentedLogStore> Open() =>
        FileLogStore.OpenAsync(
            new FileLogOptions { Directory = Path.Combine(_disk.Path, "data"), Threads = 1 },
            NullLogger.Instance,
            CancellationToken.None);
}
