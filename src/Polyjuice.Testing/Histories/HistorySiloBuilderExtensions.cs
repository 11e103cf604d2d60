using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Hosting;

namespace Polyjuice.Testing;

/// <summary>Has silos tell a recorder what transactions see and write.</summary>
internal static class HistorySiloBuilderExtensions
{
    /// <summary>
    /// Records the transactional states of a silo's grains. After <c>UsePolyjuice()</c>, or after Orleans' own
    /// <c>UseTransactions()</c>. All silos of the cluster must run in this process and have the same recorder, from its
    /// first transaction on.
    /// </summary>
    /// <param name="silo">The silo.</param>
    /// <param name="recorder">Who is told.</param>
    /// <exception cref="InvalidOperationException">The silo has no transactions.</exception>
    public static ISiloBuilder RecordHistory(this ISiloBuilder silo, HistoryRecorder recorder)
    {
        ArgumentNullException.ThrowIfNull(silo);
        ArgumentNullException.ThrowIfNull(recorder);
        var services = silo.Services;
        if (!services.Has<ITransactionalStateFactory>())
            throw new InvalidOperationException(
                $"The silo has no {nameof(ITransactionalStateFactory)}: call UsePolyjuice() before RecordHistory().");
        services.Decorate<ITransactionalStateFactory>(
            (inner, provider) => new RecordedStateFactory(inner, recorder, provider));
        if (services.Has<IPolyjuiceSilo>()) services.AddSingleton<ITransactionObserver>(recorder);
        else services.Decorate<ITransactionAgent>((inner, _) => new RecordedAgent(inner, recorder));
        return silo;
    }
}
