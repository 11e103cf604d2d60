using System.ComponentModel.DataAnnotations;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Benchmarking.Load;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Embedded;
using Polyjuice.Hosting;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Benchmarking.Simulated;

/// <summary>
/// Runs a workload's grains in simulated time under faults, and judges the run: every operation ends, the engines come to rest
/// once faults have stopped (I4), and the workload's invariant holds by what clients were told, before and after every silo has
/// died and only the logs are left (I1, I3).
/// </summary>
public static class SimulatedWorkload
{
    private static readonly TimeSpan _responseTimeout = TimeSpan.FromSeconds(3);

    /// <summary>Runs one case to its end. Everything happens on the calling thread.</summary>
    /// <exception cref="SimulationFailedException">
    /// The run broke something: <c>invariant</c> if the workload's, else as <see cref="SimulatedEmbeddedCluster.Run(Func{Task})"/> says.
    /// </exception>
    /// <exception cref="ValidationException">A size is out of range.</exception>
    public static SimulatedResult Run(SimulatedCase run)
    {
        ArgumentNullException.ThrowIfNull(run);
        Validator.ValidateObject(run, new ValidationContext(run), validateAllProperties: true);
        var workload = run.Workload.Create(new WorkloadParameters(run.Accounts, run.Seed));
        using var cluster = EmbeddedCluster.Simulate(OptionsOf(run, workload), new SimulationOptions
        {
            Seed = run.Seed,
            ClockSkewMax = run.ClockSkewMax,
            FaultsMax = run.FaultsMax,
            Trace = run.Trace,
        });
        var view = new WorkloadCluster(cluster.Client, grain => StableHash.Partition(grain.GetGrainId().ToString(), cluster.Partitions) % run.Silos, run.Silos);
        cluster.Run(() => workload.LoadAsync(view, WorkloadVariant.Transactional));
        var outcomes = new int[Enum.GetValues<OperationOutcome>().Length];
        var begin = cluster.Elapsed;
        cluster.StartFaults(run.Faults);
        cluster.Run(() => Task.WhenAll(Enumerable.Range(0, run.Clients).Select(client => LoopAsync(run, cluster, workload, view, client, outcomes))));
        cluster.StopFaults();
        var loaded = cluster.Elapsed - begin;
        cluster.Settle();
        Judge(cluster, workload, view, "when faults had stopped");
        cluster.RestartAll();
        var invariant = Judge(cluster, workload, view, "after every silo had died");
        cluster.Settle();
        return new SimulatedResult(cluster.Digest, cluster.Events, cluster.Elapsed, loaded, outcomes, invariant, cluster.Faults, cluster.Statistics);
    }

    private static EmbeddedClusterOptions OptionsOf(SimulatedCase run, IWorkload workload)
    {
        var options = new EmbeddedClusterOptions
        {
            Silos = run.Silos,
            Partitions = run.Partitions,
            Policy = run.Policy,
            ResponseTimeout = _responseTimeout,
        };
        // Named, because which other assemblies are loaded decides how grain classes are numbered, and so the digest.
        options.ApplicationAssemblies.Add(workload.GetType().Assembly);
        return options;
    }

    private static async Task LoopAsync(
        SimulatedCase run, SimulatedEmbeddedCluster cluster, IWorkload workload, WorkloadCluster view, int index, int[] outcomes)
    {
        var seed = BenchmarkRandom.Derive(run.Seed, (ulong)index + 1);
        var random = new BenchmarkRandom(seed ^ 0x7417);
        var client = workload.CreateClient(view, new ClientSettings(WorkloadVariant.Transactional, run.Theta, seed));
        for (var n = index; n < run.Operations; n += run.Clients)
        {
            var think = run.ThinkMax == 0 ? 0 : (long)(random.NextDouble() * run.ThinkMax);
            if (think > 0) await Task.Delay(TimeSpan.FromMicroseconds(think), cluster.TimeProvider);
            outcomes[(int)await client.RunOneAsync()]++;
        }
    }

    private static InvariantCheck Judge(SimulatedEmbeddedCluster cluster, IWorkload workload, WorkloadCluster view, string when)
    {
        var check = cluster.Run(() => workload.CheckAsync(view, WorkloadVariant.Transactional));
        if (check.Holds) return check;
        var trace = cluster.Trace.Count > 0 ? $"\n{string.Join('\n', cluster.Trace)}" : "";
        throw new SimulationFailedException("invariant", $"{check.Description} {when} (seed {cluster.Options.Seed}){trace}");
    }
}
