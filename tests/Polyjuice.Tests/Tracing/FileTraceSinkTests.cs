using Polyjuice.Tests.Shared;
using Polyjuice.Tracing;

namespace Polyjuice.Tests.Tracing;

public sealed class FileTraceSinkTests
{
    [Fact]
    public async Task What_it_makes_is_its_owners_alone_and_readable_while_it_grows()
    {
        using var parent = new TestFolder();
        var sink = new FileTraceSink(parent.File("traces"));
        sink.EnsureWritable();
        await using var trace = await sink.CreateAsync("1-0000.pjtrace", CancellationToken.None);
        await trace.WriteAsync(new byte[] { 1, 2 });
        await trace.FlushAsync();

        await using var reader = new FileTraceSource(parent.File("traces")).Open("1-0000.pjtrace");
        Assert.Equal(1, reader.ReadByte());
        if (OperatingSystem.IsWindows()) return; // Permissions are the parent folder's.
        var made = new DirectoryInfo(parent.File("traces"));
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, made.UnixFileMode);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, made.EnumerateFiles().Single().UnixFileMode);
    }
}
