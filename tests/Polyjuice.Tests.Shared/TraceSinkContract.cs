using System.Text;
using Polyjuice.Tracing;
using Xunit;

namespace Polyjuice.Tests.Shared;

/// <summary>What every place for traces that others can read has to do.</summary>
public abstract class TraceSinkContract
{
    private const string File = "1-1764460800000000-0000.pjtrace";
    private const string Next = "1-1764460800000000-0001.pjtrace";

    /// <summary>The place of this test, as a process of its own has it.</summary>
    private protected abstract ITraceSink Open();

    [ConditionalFact]
    public async Task There_is_nothing_at_first() => Assert.Empty(await SourceOf(Open()).ListAsync(default));

    [ConditionalFact]
    public async Task What_is_written_is_listed_and_read_by_others_while_it_goes_on()
    {
        var before = DateTimeOffset.UtcNow.AddSeconds(-1);
        var source = SourceOf(Open());
        await using var stream = await Open().CreateAsync(File, default);
        Assert.Equal(0, Assert.Single(await source.ListAsync(default)).Bytes);
        Assert.Equal("", Read(source, File));

        await stream.WriteAsync("one "u8.ToArray());
        await stream.FlushAsync();
        var file = Assert.Single(await source.ListAsync(default));
        Assert.Equal("one ", Read(source, File));
        await stream.WriteAsync("two"u8.ToArray());
        await stream.FlushAsync();

        Assert.Equal((File, 4L), (file.Name, file.Bytes));
        Assert.InRange(file.ChangedAt, before, DateTimeOffset.UtcNow.AddSeconds(1));
        var grown = Assert.Single(await source.ListAsync(default));
        Assert.Equal(7, grown.Bytes);
        Assert.True(grown.ChangedAt >= file.ChangedAt);
        Assert.Equal("one two", Read(source, File));
    }

    [ConditionalFact]
    public async Task What_was_opened_ends_where_the_file_ended_then()
    {
        await using var stream = await Open().CreateAsync(File, default);
        await stream.WriteAsync("one"u8.ToArray());
        using var reader = new StreamReader(SourceOf(Open()).Open(File), Encoding.UTF8);
        await stream.WriteAsync("two"u8.ToArray());

        Assert.StartsWith("one", reader.ReadToEnd(), StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task A_name_that_is_taken_is_refused_and_nothing_changes()
    {
        await using var stream = await Open().CreateAsync(File, default);
        await stream.WriteAsync("one"u8.ToArray());

        var refusal = await Assert.ThrowsAsync<IOException>(() => Open().CreateAsync(File, default));

        Assert.Contains(File, refusal.Message, StringComparison.Ordinal);
        Assert.Equal("one", Read(SourceOf(Open()), File));
    }

    [ConditionalFact]
    public async Task Large_blocks_and_many_are_read_back_as_they_were()
    {
        var written = new MemoryStream();
        var random = new Random(1);
        await using (var stream = await Open().CreateAsync(File, default))
        {
            foreach (var length in Enumerable.Repeat(1_000, 120).Prepend((5 << 20) + 7))
            {
                var block = new byte[length];
                random.NextBytes(block);
                written.Write(block);
                await stream.WriteAsync(block);
                await stream.FlushAsync();
            }
        }

        using var read = new MemoryStream();
        using (var file = SourceOf(Open()).Open(File)) file.CopyTo(read);
        Assert.Equal(written.ToArray(), read.ToArray());
    }

    [ConditionalFact]
    public async Task A_file_is_deleted_and_others_stay()
    {
        foreach (var name in new[] { File, Next })
        {
            await using var stream = await Open().CreateAsync(name, default);
            await stream.WriteAsync("one"u8.ToArray());
        }

        var source = SourceOf(Open());
        await source.DeleteAsync(File, default);
        await source.DeleteAsync(File, default);

        Assert.Equal(Next, Assert.Single(await source.ListAsync(default)).Name);
        Assert.Throws<FileNotFoundException>(() => source.Open(File));
        Assert.Equal("one", Read(source, Next));
    }

    [ConditionalFact]
    public async Task Who_gives_up_ends_at_once()
    {
        using var ended = new CancellationTokenSource();
        await ended.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Open().CreateAsync(File, ended.Token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => SourceOf(Open()).ListAsync(ended.Token));
    }

    private static ITraceSource SourceOf(ITraceSink sink) => Assert.IsAssignableFrom<ITraceSource>(sink.Source);

    private static string Read(ITraceSource source, string name)
    {
        using var reader = new StreamReader(source.Open(name), Encoding.UTF8);
        return reader.ReadToEnd();
    }
}
