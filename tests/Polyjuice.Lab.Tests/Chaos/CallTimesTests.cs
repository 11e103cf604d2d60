using Polyjuice.Lab.Chaos;
using Polyjuice.Lab.Clusters;

namespace Polyjuice.Lab.Tests.Chaos;

public class CallTimesTests
{
    private static readonly TimeSpan _responseTimeout = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan _standstill = TimeSpan.FromSeconds(2);

    [Fact]
    public async Task That_the_process_stands_still_is_no_call_s_fault()
    {
        using var loop = new ClientLoop();
        var times = new CallTimes(_responseTimeout, _responseTimeout);
        using var over = new CancellationTokenSource();
        var watching = loop.RunAsync(() => times.WatchAsync(over.Token));
        var before = times.Stalled;
        await loop.RunAsync(() =>
        {
            var end = times.Begin(isOneCall: true);

            // The clients' thread is all that this process has here.
            Thread.Sleep(_standstill);
            end("a call");
            return Task.CompletedTask;
        });
        await over.CancelAsync();
        await watching;

        Assert.Empty(times.Late);
        Assert.InRange(times.Stalled - before, _standstill - TimeSpan.FromSeconds(0.5), TimeSpan.MaxValue);
    }
}
