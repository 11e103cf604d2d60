using Polyjuice.Publishing;
using Polyjuice.Tests.Shared;
using Polyjuice.Tests.Storage;

namespace Polyjuice.Tests.Publishing;

public sealed class FilePolicyEntriesTests : PolicyEntriesContract
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task Files_of_others_are_not_entries()
    {
        await Entries.CreateAsync(3, new byte[1], default);
        foreach (var name in (string[])[
            "notes.json", "00000007.json.1.tmp", "7.json", "00000008.txt", "-0000009.json", "00000000.json",
            "99999999999.json"
        ])
            File.WriteAllText(_folder.File($"published/{name}"), "x");

        Assert.Equal(3, await Entries.GetLastAsync(default));
    }

    [Fact]
    public async Task Nothing_but_the_entry_is_left_behind_by_who_wins_or_loses()
    {
        await Entries.CreateAsync(1, new byte[1], default);
        await Entries.CreateAsync(1, new byte[2], default);

        Assert.Equal(["00000001.json"], Directory.EnumerateFiles(_folder.File("published")).Select(Path.GetFileName));
    }

    [Fact]
    public async Task A_temporary_file_of_a_publisher_that_died_is_in_nobodys_way()
    {
        Directory.CreateDirectory(_folder.File("published"));
        for (var i = 0; i < 50; i++) File.WriteAllText(_folder.File($"published/00000001.json.{i}.tmp"), "half");

        Assert.True(await Entries.CreateAsync(1, "whole"u8.ToArray(), default));
        Assert.Equal("whole"u8.ToArray(), await Entries.ReadAsync(1, default));
    }

    [Fact]
    public async Task A_file_that_is_too_long_is_refused_by_its_name()
    {
        Directory.CreateDirectory(_folder.File("published"));
        using (var file = File.Create(_folder.File("published/00000001.json")))
            file.SetLength(IPolicyEntries.EntryBytesMax + 1);

        var refusal = await Assert.ThrowsAsync<InvalidDataException>(async () => await Entries.ReadAsync(1, default));

        Assert.Contains("00000001.json", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_that_can_not_be_made_is_an_error_and_no_entry()
    {
        File.WriteAllText(_folder.File("file"), "");

        await Assert.ThrowsAnyAsync<IOException>(
            async () => await new FilePolicyEntries(_folder.File("file")).CreateAsync(1, new byte[1], default));
    }

    [Fact]
    public async Task Who_watches_hears_of_an_entry_that_another_process_makes()
    {
        await Entries.CreateAsync(1, new byte[1], default);
        var heard = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var watch = Entries.Watch(() => heard.TrySetResult());
        if (watch is null) return; // No notices on this machine: polling does without.
        await Another().CreateAsync(2, new byte[1], default);

        await heard.Task;
    }

    private protected override ValueTask<IPolicyEntries> OpenAsync() => new(Another());

    private protected override IPolicyEntries Another() => new FilePolicyEntries(_folder.File("published"));

    protected override ValueTask CleanUpAsync()
    {
        _folder.Dispose();
        return ValueTask.CompletedTask;
    }
}
