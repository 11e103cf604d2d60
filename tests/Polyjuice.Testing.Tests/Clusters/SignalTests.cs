using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Polyjuice.Testing.Tests.Clusters;

public sealed class SignalTests
{
    [Fact]
    public async Task A_signal_to_end_is_the_programs_affair_and_stops_no_silo()
    {
        if (OperatingSystem.IsWindows()) return; // There is no kill(1).

        // One handler before and one after those that hosts would set up:
        // when both have run, so have theirs. They keep this process alive.
        using var first = new Handler();
        await using var cluster = await PolyjuiceTestCluster.StartAsync();
        using var last = new Handler();

        // The one that nobody inherits as ignored: shells start what runs in their background deaf to the others.
        using (var kill = Process.Start("kill", ["-TERM", $"{Environment.ProcessId}"])) await kill.WaitForExitAsync();
        await Task.WhenAll(first.Ran, last.Ran);

        foreach (var silo in cluster.Silos)
            Assert.False(
                silo.Services.GetRequiredService<
                    IHostApplicationLifetime>().ApplicationStopping.IsCancellationRequested);

        await cluster.Grains.GetGrain<IPurse>(0).Put(1);
        Assert.Equal(1, await cluster.Grains.GetGrain<IPurse>(0).Count());
    }

    private sealed class Handler : IDisposable
    {
        private readonly TaskCompletionSource _ran = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly PosixSignalRegistration _registration;

        public Handler() => _registration = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
        {
            context.Cancel = true;
            _ran.TrySetResult();
        });

        public Task Ran => _ran.Task;

        public void Dispose() => _registration.Dispose();
    }
}
