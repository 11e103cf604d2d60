using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Agents;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// How many transactions may be open on this silo at a time: as many as it gets on with (<see cref="OpenLimit"/>). More
/// of them take turns without more getting done, and each takes longer, until many are given up for their time after
/// most of their work. The others wait. A transaction is as old as its call says (<see cref="Calls.CallAge"/>).
/// Thread-safe.
/// </summary>
internal sealed class OpenTransactions : PlaceQueue
{
    private readonly OpenLimit? _found;

    [ActivatorUtilitiesConstructor]
    public OpenTransactions(IOptions<PolyjuiceOptions> options, IMeterFactory? meters = null)
        : this(options, Environment.ProcessorCount, PendingPerProcessor, TimeProvider.System, meters)
    {
    }

    /// <param name="options">Bounds.</param>
    /// <param name="processors">How many there are.</param>
    /// <param name="pending">Work items that wait for a processor, for each of them.</param>
    /// <param name="time">For how long is waited.</param>
    /// <param name="meters">The host's, if it has one.</param>
    internal OpenTransactions(
        IOptions<PolyjuiceOptions> options, int processors, Func<double> pending, TimeProvider time,
        IMeterFactory? meters = null)
        : this(LimitOf(options.Value, processors, pending), options.Value.StartWait, processors, time, meters)
    {
    }

    private OpenTransactions(
        IPlaceLimit limit, TimeSpan patience, int processors, TimeProvider time, IMeterFactory? meters)
        : base(limit, patience, processors, time, new("polyjuice.transactions", "transaction", "open"), meters) =>
        _found = limit as OpenLimit;

    /// <summary>What is under way at the silo's engine, which the limit goes by. Read on other threads.</summary>
    public Func<EngineLoad> Load
    {
        set
        {
            if (_found is not null) _found.Load = value;
        }
    }

    private static IPlaceLimit LimitOf(PolyjuiceOptions options, int processors, Func<double> pending) =>
        options.OpenTransactions > 0
            ? new FixedLimit(options.OpenTransactions)
            : new OpenLimit(processors, pending, options.StartWait);

    private static double PendingPerProcessor() => (double)ThreadPool.PendingWorkItemCount / Environment.ProcessorCount;
}
