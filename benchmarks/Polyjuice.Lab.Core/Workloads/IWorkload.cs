using Orleans;
using Orleans.Runtime;

namespace Polyjuice.Lab.Workloads;

/// <summary>
/// Something to measure: grains, the operations that clients make on them, and what must hold at the end. One instance
/// belongs to one fresh cluster.
/// </summary>
/// <remarks>
/// How to add a workload:
/// <list type="number">
/// <item>Write its grains (see samples/Smallbank.Grains): transactional methods, and a <em>plain twin</em> of the
/// interface (see samples/Smallbank/Plain) with the same methods, arguments and results but without
/// <c>[Transaction]</c>, on plain fields. The twin prices the transactions.</item>
/// <item>Implement <see cref="IWorkload"/>: load the grains, make clients, check the invariant.</item>
/// <item>Implement <see cref="IWorkloadClient"/>: choose and make one operation, keep books of what was acknowledged.
/// Pass every exception to <see cref="Outcomes.Of"/> first; what is in doubt makes the books a range. To have its types
/// of operations reported one by one, name them in <see cref="WorkloadDefinition.OperationTypes"/> and implement
/// <see cref="IWorkloadClient.Choose"/>.</item>
/// <item>Add a <see cref="WorkloadDefinition"/> with its name to the catalogue in
/// src/Polyjuice.Cli/Commands/BenchCommand.cs, and the grains' project to
/// the CLI's references. <c>polyjuice bench NAME</c> then runs it.</item>
/// <item>Add a test like tests/Smallbank.Tests/MoneyIsConservedTests.cs, bounded by a number of operations.</item>
/// </list>
/// </remarks>
public interface IWorkload
{
    /// <summary>Creates the grains' initial states. Called once, on the client's thread, before any client.</summary>
    /// <param name="cluster">Where to.</param>
    /// <param name="variant">Only this variant's grains are going to be used.</param>
    Task LoadAsync(WorkloadCluster cluster, WorkloadVariant variant);

    /// <summary>Makes one client.</summary>
    IWorkloadClient CreateClient(WorkloadCluster cluster, ClientSettings settings);

    /// <summary>
    /// Checks the invariant against what all clients made so far were told. Called when no operation is running,
    /// possibly several times in an instance's life.
    /// </summary>
    Task<InvariantCheck> CheckAsync(WorkloadCluster cluster, WorkloadVariant variant);
}

/// <summary>
/// One client of a workload. Its operations all start on one thread, and may overlap under an open loop.
/// </summary>
public interface IWorkloadClient
{
    /// <summary>Chooses one operation, makes it and books its result.</summary>
    Task<OperationOutcome> RunOneAsync();

    /// <summary>
    /// Chooses one operation without making it yet. For workloads whose operations are reported by type, or whose
    /// clients pause; the others leave it as it is.
    /// </summary>
    WorkloadOperation Choose() => new(0, RunOneAsync);
}

/// <summary>An operation that a client has chosen.</summary>
/// <param name="Type">Its index in <see cref="WorkloadDefinition.OperationTypes"/>.</param>
/// <param name="RunAsync">Makes it and books its result; called once.</param>
/// <param name="Pause">How long a client of a closed loop waits before; not part of the latency.</param>
public readonly record struct WorkloadOperation(
    int Type, Func<Task<OperationOutcome>> RunAsync, TimeSpan Pause = default)
{
    /// <summary>
    /// Whether it is one call, which must end in the client's response timeout. Default <see langword="true"/>; a
    /// transaction that the client itself runs makes several.
    /// </summary>
    public bool IsOneCall { get; init; } = true;
}

/// <summary>What a workload sees of a cluster.</summary>
/// <param name="Grains">Makes references to its grains.</param>
/// <param name="SiloOf">Which silo (from 0) a grain lives on, by the cluster's placement.</param>
/// <param name="SiloCount">Number of silos.</param>
public sealed record WorkloadCluster(IGrainFactory Grains, Func<IAddressable, int> SiloOf, int SiloCount)
{
    /// <summary>Transactions that clients run themselves; <see langword="null"/> where there are none.</summary>
    public ITransactionClient? Transactions { get; init; }

    /// <summary>The cluster's time; virtual in a simulation.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>
    /// Hears, while a workload loads or is checked, how much of it is done:
    /// 0 to 1. For what takes long; called often, on the client's thread.
    /// </summary>
    public Action<double> Progress { get; init; } = _ => { };
}

/// <summary>Which of a workload's grains to use.</summary>
public enum WorkloadVariant
{
    /// <summary>Transactional grains.</summary>
    Transactional,

    /// <summary>Their plain twins.</summary>
    Plain,
}

/// <summary>What sets one client apart from the others.</summary>
/// <param name="Variant">Transactional, or plain twins.</param>
/// <param name="Theta">Skew of the choice of grains, where the workload chooses.</param>
/// <param name="Seed">Of the client's choices.</param>
/// <param name="Index">
/// Which of the clients of a closed loop, from 0; <see langword="null"/> for the only one of an open loop.
/// </param>
public sealed record ClientSettings(WorkloadVariant Variant, double Theta, ulong Seed, int? Index = null);

/// <summary>Whether a workload's invariant held.</summary>
/// <param name="Holds">It did.</param>
/// <param name="Description">What was checked and found, for people.</param>
public sealed record InvariantCheck(bool Holds, string Description)
{
    /// <summary>What several comparisons came to.</summary>
    /// <param name="wrong">What is wrong, each in a sentence's part.</param>
    /// <param name="right">What there is to say if nothing is.</param>
    /// <param name="alarm">What comes before the parts otherwise.</param>
    public static InvariantCheck Of(IReadOnlyCollection<string> wrong, string right, string alarm)
    {
        ArgumentNullException.ThrowIfNull(wrong);
        return wrong.Count == 0 ? new(true, right) : new(false, $"{alarm}: {string.Join("; ", wrong)}");
    }
}
