using Orleans.Runtime;

namespace Polyjuice.Testing;

public sealed partial class PolyjuiceTestCluster
{
    /// <summary>
    /// Runs clients that make one call after the other, with seeded choices, and counts what they are told.
    /// </summary>
    /// <param name="one">Makes one call, or one transaction of several.</param>
    /// <param name="configure">Sets the options.</param>
    /// <param name="cancellationToken">Ends it; calls under way end first.</param>
    /// <exception cref="ClusterRunException">
    /// A call has thrown something that is no end of a transaction.
    /// The run's evidence is kept, and the message says where.
    /// </exception>
    /// <exception cref="OrleansConfigurationException">
    /// An option is out of its bounds; the message names it.
    /// </exception>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public async Task<WorkloadResult> RunAsync(
        Func<WorkloadClient, Task> one, Action<WorkloadOptions>? configure = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(one);
        var options = new WorkloadOptions();
        configure?.Invoke(options);
        SiloSetup.Validate(options);
        WorkloadResult? result = null;
        await KeepOnFailureAsync(
            async () =>
                result = await new WorkloadRun(options, ClientOf, one, cancellationToken).RunAsync()
                    .ConfigureAwait(false))
            .ConfigureAwait(false);
        return result!;

        WorkloadClient ClientOf(int number) =>
            new(number, new Random(unchecked((options.Seed * 7_919) + number)), Grains, Transactions);
    }
}
