using System.Diagnostics.CodeAnalysis;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// The transactions that this node knows of, by name: its own attempts, those that have called here, and those that
/// others have named.
/// </summary>
internal sealed class TransactionTable(
    EngineContext context, KnownAgents agents, SiteRegistry registry, Func<PolicyTable> table, DueLooks dueLooks)
{
    private readonly Dictionary<TransactionId, LocalTransaction> _transactions = [];

    public IReadOnlyCollection<LocalTransaction> All => _transactions.Values;

    public int Count => _transactions.Count;

    /// <summary>
    /// Whether an attempt of this node waits until it holds all that it reserves: it gets that, or goes on without.
    /// </summary>
    public bool IsReserving => _transactions.Values.Any(
        static transaction => transaction.Reservations?.Reserving is { IsOver: false });

    public LocalTransaction? Find(TransactionId id) => _transactions.GetValueOrDefault(id);

    public bool TryFind(TransactionId id, [NotNullWhen(true)] out LocalTransaction? transaction) =>
        _transactions.TryGetValue(id, out transaction);

    public bool Knows(TransactionId id) => _transactions.ContainsKey(id);

    /// <summary>
    /// Whether its agent is done with it; of this node's own attempts also when an older one is live.
    /// </summary>
    public bool HasAgentEnded(TransactionId id) =>
        id.Node == context.Node ? Find(id) is not { IsAgentHere: true } : agents.IsAgentDone(id);

    /// <summary>A transaction of which no more than its name is known.</summary>
    public LocalTransaction FindOrCreateShell(TransactionId id, string? type = null)
    {
        if (_transactions.TryGetValue(id, out var known)) return known;
        if (type is null) return new LocalTransaction(id, "(unknown)", -1, table());
        var shell = new LocalTransaction(id, type, registry.GetOrAddType(type), table());
        Know(shell);
        return shell;
    }

    /// <summary>From now on it is found by its name, and looked at.</summary>
    public void Know(LocalTransaction transaction)
    {
        _transactions.Add(transaction.Id, transaction);
        transaction.IsKnown = true;
        dueLooks.LookAfter(transaction);
    }

    /// <summary>Nothing holds it here any more.</summary>
    public void Forget(LocalTransaction transaction)
    {
        transaction.IsKnown = false;
        _transactions.Remove(transaction.Id);
    }
}
