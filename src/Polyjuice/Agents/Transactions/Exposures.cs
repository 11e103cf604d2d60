using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Shows others what a running transaction has written (dirty reads).</summary>
internal sealed class Exposures(EngineContext context, Mail mail, TransactionTable transactions)
{
    public bool ExposeHere(TransactionId id)
    {
        if (!transactions.TryFind(id, out var transaction) || transaction.IsDoomed) return false;
        var isNew = false;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
            isNew |= Exposure.ExposeAll(branch);
        return isNew;
    }

    /// <summary>Exposes everything that a transaction has buffered, here at once and elsewhere one-way.</summary>
    /// <returns>Whether there was anything here.</returns>
    public bool ExposeAll(LocalTransaction transaction)
    {
        var isNew = ExposeHere(transaction.Id);
        if (transaction.Remote is not { } remote) return isNew;
        foreach (var use in remote)
        {
            if (use.Writes && use.Node != context.Node)
                mail.Send(use.Node, new Message { Kind = MessageKind.Expose, Transaction = transaction.Id });
        }

        return isNew;
    }
}
