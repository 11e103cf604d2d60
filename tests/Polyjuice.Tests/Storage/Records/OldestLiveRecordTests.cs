using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Tests.Agents;

namespace Polyjuice.Tests.Storage.Records;

public sealed class OldestLiveRecordTests
{
    private const int TokensEach = 4_000;
    private readonly Memory _storage = new();

    [Fact]
    public async Task A_log_says_now_and_then_what_is_over_so_that_who_reads_it_need_not_keep_it()
    {
        var rig = new EngineRig(storage: _storage);
        for (var i = 0; i < 30; i++)
        {
            rig.Commit("Grow", async frame => await rig.State(0).UpdateAsync(frame, state =>
            {
                state.Tokens.Clear();
                state.Tokens.AddRange(Enumerable.Range(0, TokensEach).Select(number => (long)number));
                return 0;
            }));
        }

        var log = _storage.Logs.Open(0);
        var end = await log.GetEndAsync(CancellationToken.None);
        var (image, said, bytes) = (new LogImage(), 0, 0L);
        await foreach (var batch in log.ReadAsync(0, end, CancellationToken.None))
        {
            var before = image.OldestLive.Values.Sum();
            image.Add(batch.Span);
            bytes += batch.Length;
            if (image.OldestLive.Values.Sum() > before) said++;
        }

        Assert.True(bytes > 900_000, $"{bytes} bytes");
        Assert.InRange(said, bytes / (512 << 10), bytes / (256 << 10));
        image.Compact();
        Assert.InRange(image.Commits.Count, 1, 12);
    }

    private sealed class Memory : ISimulatedStorage
    {
        public MemoryLogStore Logs { get; } = new(1, takesCheckpoints: true);

        public ILogStore For(ISimulatedProcess process) => Logs;

        public void Crashed(ISimulatedProcess process)
        {
        }

        public void StopFaults()
        {
        }
    }
}
