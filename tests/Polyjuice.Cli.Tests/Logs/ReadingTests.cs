using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Cli.Commands;
using Polyjuice.Cli.Logs;
using Polyjuice.Storage;

namespace Polyjuice.Cli.Tests.Logs;

/// <summary>Reading that takes long: how far it has got, and how it ends before its time.</summary>
public sealed class ReadingTests : IDisposable
{
    private readonly Tool _tool = new();

    public void Dispose() => _tool.Dispose();

    [Fact]
    public void Progress_is_said_every_two_seconds_and_nothing_before()
    {
        var (output, time) = (new StringWriter(), new StillTime());
        var progress = new ReadingProgress(output, time) { Total = 400 << 20 };
        progress.Add(100 << 20);
        time.Pass(1.9);
        progress.Add(1);
        Assert.Equal("", output.ToString());
        time.Pass(0.2);
        progress.Add(1);
        progress.Add(1);
        Assert.Equal("2 s: 100 of 400 MiB read (25%); Ctrl+C ends it", output.ToString().Trim());
    }

    [Fact]
    public async Task What_is_cancelled_in_the_middle_says_that_it_is_not_the_whole_answer()
    {
        await using (var store = await FileLogStore.OpenAsync(
            new FileLogOptions { Directory = _tool.PathOf("data"), SegmentBytes = 4_096 },
            NullLogger.Instance,
            CancellationToken.None))
        {
            for (var position = 0; position < 30; position++)
                await store.Open(0)
                    .AppendAsync(position, new BatchId(1, position), new byte[1_000], CancellationToken.None);
        }

        using var stop = new CancellationTokenSource();
        var reads = 0;
        await using var device = new CountingDevice(
            new FileLogDevice(_tool.PathOf("data"), flush: false, isReadOnly: true),
            _ =>
            {
                if (++reads == 3) stop.Cancel();
            });
        var error = new StringWriter();
        var exitCode = await EndedEarly.ReadingAsync(
            async token =>
            {
                var inspector = await LogInspector.OpenAsync(device, token);
                await inspector.VerifyAsync(0, token);
                return ExitCodes.Done;
            },
            error,
            stop.Token);
        Assert.Equal(ExitCodes.Cancelled, exitCode);
        Assert.Contains("did not get to the end", error.ToString(), StringComparison.Ordinal);
        Assert.Equal(3, reads);
    }

    private sealed class StillTime : TimeProvider
    {
        private long _now;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _now;

        public void Pass(double seconds) => _now += TimeSpan.FromSeconds(seconds).Ticks;
    }
}
