using System.Collections.Concurrent;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Tests.Storage;

/// <summary>
/// Every file of a log folder deleted, emptied, set back to what it was earlier or swapped with another one, alone and
/// in pairs: whoever opens the logs finds all that was answered, or is refused by name; and who only looks says the
/// same.
/// </summary>
public sealed class LostFilesTests : IAsyncLifetime
{
    private const int Partitions = 2;
    private const string Now = "now";
    private const string Earlier = "earlier";
    private readonly TestFolder _folder = new();
    private string[] _files = [];
    private string _whole = "";
    private int _cases;

    private static readonly (string Name, Action<string, string> Do)[] s_changes =
    [
        ("deleted", (path, _) => File.Delete(path)),
        ("emptied", (path, _) => Replace(path, [])),
        ("set back", (path, earlier) =>
        {
            if (File.Exists(earlier)) Replace(path, File.ReadAllBytes(earlier));
            else File.Delete(path);
        }),
    ];

    /// <summary>
    /// One partition with several segments, a checkpoint and trimmed segments, and one with one segment; a note; and
    /// what was there before half of that.
    /// </summary>
    public async Task InitializeAsync()
    {
        var folder = _folder.File(Now);
        await using (var store = await OpenAsync(folder))
        {
            await store.Open(0).Fill(20, Batch);
            await store.Open(1).Fill(2, Batch);
            Assert.True(await store.WriteNoteAsync("groups", 1, Batch(1), CancellationToken.None));
        }

        Copy(folder, _folder.File(Earlier));
        await using (var store = await OpenAsync(folder))
        {
            await store.Open(0).Fill(40, Batch);
            await store.Open(1).Fill(3, Batch);
            await store.Open(0).WriteCheckpointAsync(30, LogCalls.Pieces(Batch(7)), CancellationToken.None);
            await store.Open(0).TrimAsync(CancellationToken.None);
        }

        _files = [.. Names(folder).Union(Names(_folder.File(Earlier)))];
        _whole = await TakeOverAsync(folder) is { Refusal: null } all
            ? all.Content
            : throw new InvalidOperationException("The logs are not sound to begin with.");
    }

    public Task DisposeAsync()
    {
        _folder.Dispose();
        return Task.CompletedTask;
    }

    [Fact]
    public async Task Each_file_alone_is_missed_or_makes_no_difference()
    {
        Assert.True(_files.Length >= 12, string.Join(", ", _files));
        await RequireAsync(
            from file in _files from change in s_changes select ($"{file} {change.Name}", Of(file, change.Do)));
    }

    [Fact]
    public async Task Two_files_together_are_missed_or_make_no_difference() => await RequireAsync(
        from pair in Pairs()
        from first in s_changes
        from second in s_changes
        select ($"{pair.One} {first.Name}, {pair.Other} {second.Name}", Both(
            Of(pair.One, first.Do), Of(pair.Other, second.Do))));

    [Fact]
    public async Task Two_files_in_each_others_place_are_missed_or_make_no_difference() => await RequireAsync(
        from pair in Pairs()
        select ($"{pair.One} and {pair.Other} swapped", (Action<string>)(folder =>
        {
            var (one, other) = (Bytes(folder, pair.One), Bytes(folder, pair.Other));
            if (one is not null && other is not null)
            {
                Replace(Path.Combine(folder, pair.One), other);
                Replace(Path.Combine(folder, pair.Other), one);
            }
        })));

    private static byte[]? Bytes(string folder, string file) =>
        File.Exists(Path.Combine(folder, file)) ? File.ReadAllBytes(Path.Combine(folder, file)) : null;

    private Action<string> Of(string file, Action<string, string> change) =>
        folder => change(Path.Combine(folder, file), _folder.File(Earlier, file));

    private static Action<string> Both(Action<string> one, Action<string> other) => folder =>
    {
        one(folder);
        other(folder);
    };

    private IEnumerable<(string One, string Other)> Pairs() =>
        from i in Enumerable.Range(0, _files.Length)
        from j in Enumerable.Range(0, i)
        select (_files[j], _files[i]);

    private async Task RequireAsync(IEnumerable<(string Name, Action<string> Change)> cases)
    {
        var wrong = new ConcurrentBag<string>();
        await Parallel.ForEachAsync(cases, async (one, _) =>
        {
            if (await ObjectionAsync(one.Change) is { } objection) wrong.Add($"{one.Name}: {objection}");
        });
        var first = string.Join(Environment.NewLine, wrong.Order(StringComparer.Ordinal).Take(20));
        Assert.True(wrong.IsEmpty, $"{wrong.Count} wrong:{Environment.NewLine}{first}");
    }

    private async Task<string?> ObjectionAsync(Action<string> change)
    {
        var folder = _folder.File($"case-{Interlocked.Increment(ref _cases)}");
        Copy(_folder.File(Now), folder);
        change(folder);
        var verdict = await VerifyAsync(folder);
        var (content, refusal) = await TakeOverAsync(folder);
        Directory.Delete(folder, recursive: true);
        if (refusal is null && content != _whole) return "it opens, and what was answered is not there";
        if (refusal is not null && !refusal.Contains(folder, StringComparison.Ordinal))
            return $"the refusal names no file: {refusal}";
        if ((verdict is null) != (refusal is null))
            return $"who looks says \"{verdict ?? "sound"}\", who opens says \"{refusal ?? "sound"}\"";
        return null;
    }

    private static async Task<string?> VerifyAsync(string folder)
    {
        try
        {
            var inspector = await LogInspector.OpenFilesAsync(folder, CancellationToken.None);
            for (var partition = 0; partition < inspector.PartitionCount; partition++)
            {
                var report = await inspector.VerifyAsync(partition, CancellationToken.None);
                if (!report.IsSound) return report.Problems[0].ToString();
            }

            return null;
        }
        catch (Exception exception) when (exception is FileNotFoundException or LogUnusableException)
        {
            return exception.Message;
        }
    }

    /// <summary>
    /// What a silo does that takes the partitions over: it reads the checkpoint, and the batches behind it.
    /// </summary>
    private static async Task<(string Content, string? Refusal)> TakeOverAsync(string folder)
    {
        var content = new System.Text.StringBuilder();
        try
        {
            await using var store = await OpenAsync(folder);
            for (var partition = 0; partition < Partitions; partition++)
            {
                var log = store.Open(partition);
                var end = await log.End();
                var checkpoint = await log.GetCheckpointAsync(CancellationToken.None);
                if (checkpoint is not null)
                    content.AppendLine($"{checkpoint.Position}: {Convert.ToHexString(await checkpoint.ReadAll())}");
                foreach (var batch in await log.Read(checkpoint?.Position ?? 0, end))
                    content.AppendLine(Convert.ToHexString(batch));
            }

            return (content.ToString(), null);
        }
        catch (LogUnusableException exception)
        {
            return ("", exception.Message);
        }
    }

    private static Task<SegmentedLogStore> OpenAsync(string folder) => FileLogStore.OpenAsync(
        new FileLogOptions { Directory = folder, NewPartitions = Partitions, SegmentBytes = 4_096, Threads = 1 },
        NullLogger.Instance, CancellationToken.None);

    private static byte[] Batch(long number)
    {
        var batch = new ByteWriter();
        for (var i = 0; i < 60; i++) LogRecords.WriteFence(batch, new NodeId(1_000_000 + number));
        return batch.WrittenMemory.ToArray();
    }

    private static void Replace(string path, byte[] content)
    {
        if (!Directory.Exists(Path.GetDirectoryName(path))) return;
        File.WriteAllBytes(path, content);
    }

    private static IEnumerable<string> Names(string folder) =>
        Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(folder, path))
            .Order(StringComparer.Ordinal);

    private static void Copy(string from, string to)
    {
        foreach (var name in Names(from))
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(to, name))!);
            File.Copy(Path.Combine(from, name), Path.Combine(to, name));
        }
    }
}
