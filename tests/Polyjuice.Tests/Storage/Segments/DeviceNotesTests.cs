using System.Text;
using Polyjuice.Storage;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Storage.Segments;

public sealed class DeviceNotesTests : IAsyncLifetime
{
    private readonly TestFolder _folder = new();
    private FileLogDevice _device = null!;
    private DeviceNotes _notes = null!;

    public Task InitializeAsync()
    {
        _device = new FileLogDevice(_folder.Path, flush: false);
        _notes = new DeviceNotes(_device);
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        await _device.DisposeAsync();
        _folder.Dispose();
    }

    [Fact]
    public async Task There_is_no_note_at_first() => Assert.Null(await _notes.ReadNoteAsync("policies", default));

    [Fact]
    public async Task The_latest_note_of_a_name_is_there_and_no_other()
    {
        Assert.True(await WriteAsync("policies", 1, "one"));
        Assert.True(await WriteAsync("policies", 2, "two"));
        Assert.True(await WriteAsync("others", 1, "three"));

        Assert.Equal((2, "two"), await ReadAsync("policies"));
        Assert.Equal((1, "three"), await ReadAsync("others"));
        Assert.Single(Directory.GetFiles(_folder.File("notes", "policies")));
    }

    [Fact]
    public async Task Of_two_that_write_the_next_one_is_told_that_the_other_did()
    {
        await WriteAsync("policies", 1, "one");
        Assert.True(await WriteAsync("policies", 2, "two"));
        Assert.False(await WriteAsync("policies", 2, "too late"));

        Assert.Equal((2, "two"), await ReadAsync("policies"));
    }

    [Fact]
    public async Task Who_is_behind_by_more_than_one_is_told_as_well()
    {
        for (var number = 1; number <= 3; number++) await WriteAsync("policies", number, $"note {number}");

        // That name is free again: the note was deleted when the third one came.
        Assert.False(await WriteAsync("policies", 2, "much too late"));

        Assert.Equal((3, "note 3"), await ReadAsync("policies"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a/b")]
    [InlineData("..")]
    [InlineData("Policies")]
    public async Task A_name_that_is_none_is_refused(string name) =>
        await Assert.ThrowsAnyAsync<ArgumentException>(async () => await _notes.ReadNoteAsync(name, default));

    [Fact]
    public async Task Notes_stand_in_the_way_of_no_log()
    {
        await WriteAsync("policies", 1, "one");
        await _device.DisposeAsync();

        await using var store = await FileLogStore.OpenAsync(
            new FileLogOptions { Directory = _folder.Path },
            Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);

        Assert.Equal(1, (await store.ReadNoteAsync("policies", default))!.Number);
        Assert.True(await store.WriteNoteAsync("policies", 2, "two"u8.ToArray(), default));
        var inspector = await LogInspector.OpenFilesAsync(_folder.Path, default);
        Assert.True((await inspector.VerifyAsync(0, default)).IsSound);
    }

    private ValueTask<bool> WriteAsync(string name, long number, string content) =>
        _notes.WriteNoteAsync(name, number, Encoding.UTF8.GetBytes(content), default);

    private async Task<(long Number, string Content)> ReadAsync(string name)
    {
        var note = await _notes.ReadNoteAsync(name, default);
        return (note!.Number, Encoding.UTF8.GetString(note.Content.Span));
    }
}
