using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.TestingHost;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>
/// A silo's engines end the moment that the silo is killed, in the middle of a transaction that it has started. The
/// test cluster's kill is a stop in a hurry: for some tenths of a second the silo goes on, its partitions pass to
/// others meanwhile, and it brings all transactions that it had begun to their end. A process that is killed does not,
/// and the kit's runner fails unless a client notices.
/// </summary>
internal sealed class SuddenDeath(
    PolyjuiceSilo silo, ITransactionAgentStatistics transactions) : ILifecycleParticipant<ISiloLifecycle>
{
    /// <summary>The kit kills under load, so the next transaction is never far.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    // The last stage to start is the first to stop; who kills does not wait.
    public void Participate(ISiloLifecycle lifecycle) => lifecycle.Subscribe(
        nameof(SuddenDeath),
        ServiceLifecycleStage.Last,
        static _ => Task.CompletedTask,
        cancellationToken => cancellationToken.IsCancellationRequested ? DieAsync() : Task.CompletedTask);

    private async Task DieAsync()
    {
        var since = Stopwatch.GetTimestamp();
        while (!TryStop() && Stopwatch.GetElapsedTime(since) < s_patience) await Task.Yield();
        await silo.DisposeAsync();
    }

    private bool TryStop()
    {
        if (transactions.TransactionsStarted == transactions.TransactionsSucceeded + transactions.TransactionsFailed)
            return false;
        foreach (var engine in silo.Engines)
        {
            using (engine.Turn.Enter()) engine.Engine.Stop();
        }

        return true;
    }

    public sealed class Configurator : ISiloConfigurator
    {
        public void Configure(ISiloBuilder siloBuilder) =>
            siloBuilder.Services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>, SuddenDeath>();
    }
}
