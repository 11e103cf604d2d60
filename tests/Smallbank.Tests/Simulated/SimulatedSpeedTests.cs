using Polyjuice.Benchmarking.Simulated;
using Polyjuice.Policies;
using Polyjuice.Testing;
using Smallbank.Workload;
using Xunit.Abstractions;

namespace Smallbank.Tests.Simulated;

public class SimulatedSpeedTests(ITestOutputHelper output)
{
    [Fact]
    public void Light_load_runs_at_least_fifty_times_as_fast_as_real_time()
    {
        // Four clients that pause for up to half a second after each transaction. The first rounds are slow: their code is being compiled.
        var best = 0.0;
        for (var round = 0; round < 4; round++)
        {
            var begin = ThreadTime.Now;
            var result = SimulatedWorkload.Run(new SimulatedCase
            {
                Workload = SmallbankWorkload.Smallbank,
                Policy = BuiltinPolicies.Get("ic3"),
                Seed = 7,
                Clients = 4,
                ThinkMax = 500_000,
                Operations = 1_000,
            });
            var took = ThreadTime.Now - begin;
            output.WriteLine($"{result.Virtual.TotalSeconds:F1} s of virtual time in {took.TotalSeconds:F2} s: {result.Virtual / took:F0} times real time");
            best = Math.Max(best, result.Virtual / took);
        }

        Assert.True(best >= 50, $"{best:F0} times real time at best");
    }
}
