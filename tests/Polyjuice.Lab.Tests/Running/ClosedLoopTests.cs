using System.Diagnostics;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Tests.Running;

public sealed class ClosedLoopTests
{
    [Fact]
    public async Task A_client_that_was_turned_away_waits_before_it_comes_again()
    {
        var client = new Client(OperationOutcome.Overloaded, OperationOutcome.Committed);
        var interval = new LoadInterval(operationLimit: 2);

        await ClosedLoop.RunAsync([client], interval);

        Assert.True(client.Came[1] - client.Came[0] >= TimeSpan.FromMilliseconds(90));
        var sample = interval.ToSample(new(), default);
        Assert.Equal((1, 1, 0), (sample.Committed, sample.Overloaded, sample.Aborted));
    }

    private sealed class Client(params OperationOutcome[] outcomes) : IWorkloadClient
    {
        private readonly long _since = Stopwatch.GetTimestamp();

        public List<TimeSpan> Came { get; } = [];

        public Task<OperationOutcome> RunOneAsync()
        {
            Came.Add(Stopwatch.GetElapsedTime(_since));
            return Task.FromResult(outcomes[Came.Count - 1]);
        }
    }
}
