using System.ComponentModel.DataAnnotations;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Benchmarking.Workloads.ListAppend;
using Polyjuice.Embedded;
using Polyjuice.Hosting;
using Polyjuice.Isolation;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;

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
    /// <param name="run">What to run.</param>
    /// <param name="keep">Gets the history, if the workload has one and the run comes that far.</param>
    /// <exception cref="SimulationFailedException">
    /// The run broke something: <c>invariant</c> if the workload's, <c>operation</c> if a call ended as none may, else as <see cref="SimulatedEmbeddedCluster.Run(Func{Task})"/> says.
    /// </exception>
    /// <exception cref="ValidationException">A size is out of range.</exception>
    public static SimulatedResult Run(SimulatedCase run, Action<History>? keep = null)
    {
        ArgumentNullException.ThrowIfNull(run);
        Validator.ValidateObject(run, new ValidationContext(run), validateAllProperties: true);
        var workload = run.Workload.Create(new WorkloadParameters(run.Accounts, run.Seed));
        using var cluster = EmbeddedCluster.Simulate(OptionsOf(run, workload), new SimulationOptions
        {
            Seed = run.Seed,
            ClockSkewMax = run.ClockSkewMax,
            FaultsMax = run.FaultsMax,
            Network = run.Network,
            Storage = run.Storage,
            Trace = run.Trace,
        });
        var view = new WorkloadCluster(cluster.Client, grain => StableHash.Partition(grain.GetGrainId().ToString(), cluster.Partitions) % run.Silos, run.Silos) { Time = cluster.TimeProvider };
        if (workload is ListAppendWorkload lists && (run.ClockSkewMax > 0 || run.Faults.Nodes.ClockJump > 0 || run.Faults.Nodes.StrikeKinds.HasFlag(FaultKinds.ClockJump)))
            lists.Model = ConsistencyModel.Serializable;
        Drive(cluster, () => workload.LoadAsync(view, WorkloadVariant.Transactional));
        var outcomes = new int[Enum.GetValues<OperationOutcome>().Length];
        var begin = cluster.Elapsed;
        cluster.StartFaults(run.Faults);
        var load = new Load(run, cluster, workload, view, outcomes);
        Drive(cluster, () => Task.WhenAll(Enumerable.Range(0, run.Clients).Select(load.LoopAsync)));
        cluster.StopFaults();
        var loaded = cluster.Elapsed - begin;
        cluster.Settle();
        Judge(cluster, workload, view, "when faults had stopped", keep);
        cluster.RestartAll();
        var invariant = Judge(cluster, workload, view, "after every silo had died", keep);
        cluster.Settle();
        return new SimulatedResult(cluster.Digest, cluster.Events, cluster.Elapsed, loaded, outcomes, invariant, cluster.Faults, cluster.Reordered, cluster.Statistics);
    }

    private static EmbeddedClusterOptions OptionsOf(SimulatedCase run, IWorkload workload)
    {
        var options = new EmbeddedClusterOptions
        {
            Silos = run.Silos,
            Partitions = run.Partitions,
            Policy = run.Policy,
            ResponseTimeout = _responseTimeout,
            Engine = run.Engine,
        };
        // Named, because which other assemblies are loaded decides how grain classes are numbered, and so the digest.
        options.ApplicationAssemblies.Add(workload.GetType().Assembly);
        return options;
    }

    private static void Drive(SimulatedEmbeddedCluster cluster, Func<Task> client) => Drive(cluster, async () =>
    {
        await client();
        return true;
    });

    // What no workload expects of a call is a failure of the run like any other, with its seed and trace.
    private static TResult Drive<TResult>(SimulatedEmbeddedCluster cluster, Func<Task<TResult>> client)
    {
        try
        {
            return cluster.Run(client);
        }
        catch (Exception exception) when (exception is not SimulationFailedException)
        {
            throw cluster.Failure("operation", exception.ToString(), exception);
        }
    }

    private static InvariantCheck Judge(SimulatedEmbeddedCluster cluster, IWorkload workload, WorkloadCluster view, string when, Action<History>? keep)
    {
        var check = Drive(cluster, () => workload.CheckAsync(view, WorkloadVariant.Transactional));
        if (workload is ListAppendWorkload recorded) keep?.Invoke(recorded.History);
        if (check.Holds) return check;
        throw cluster.Failure("invariant", $"{when}, {check.Description}");
    }
}
