using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Has grains activated that are not, before anything is reserved: whoever reserves and then activates makes all wait
/// for that who meet the transaction elsewhere.
/// </summary>
internal sealed class GrainLoading(
    EngineContext context, DeadNodes dead, Mail mail, OwnedPartitions partitions, KnownOwners knownOwners,
    TypeLearning learning, TransactionTable transactions, ActiveGrains activeElsewhere,
    ReservationWithdrawals withdrawals)
{
    /// <summary>The chain has come to a grain of this node's that is not active.</summary>
    public void TellCold(LocalTransaction transaction)
    {
        if (transaction.Agent is { } own) FoundCold(own);
        else mail.Send(transaction.Id.Node, new ColdGrainMessage { Transaction = transaction.Id });
    }

    /// <summary>
    /// The chain of an attempt has come to a grain that is not active: it gives back what it holds, and has all of
    /// them activated that it would reserve.
    /// </summary>
    public void FoundCold(AgentTransaction agent)
    {
        if (agent.Reserving is not { IsOver: false, Loading: null } reserving) return;
        if (agent.Transaction.Reservations!.IsLoaded)
        {
            withdrawals.RunUnreserved(agent, keepsHeld: false);
            return;
        }

        withdrawals.GiveBack(agent, keepsHeld: false);
        Begin(agent.Transaction, reserving, reserving.Plan);
    }

    public void Begin(LocalTransaction transaction, Reserving reserving, ReservationPlan grains)
    {
        context.Statistics.ReservationsToLoad++;
        var nodes = new List<NodeId>();
        foreach (var entry in grains.Entries)
        {
            if (knownOwners.NodeOf(entry) is var node && node != NodeId.None && !nodes.Contains(node)) nodes.Add(node);
        }

        reserving.Loading = new LoadingGrains(grains, nodes);
        Ask(transaction, reserving);
    }

    public void Ask(LocalTransaction transaction, Reserving reserving)
    {
        reserving.Loading!.Missing.RemoveAll(dead.Contains);
        foreach (var node in reserving.Loading.Missing)
            mail.Send(node, new LoadMessage { Transaction = transaction.Id, Grains = reserving.Loading.Grains });
        EndIfLoaded(transaction, reserving);
    }

    private void EndIfLoaded(LocalTransaction transaction, Reserving reserving)
    {
        if (reserving.Loading is not { Missing.Count: 0 } loading) return;
        if (transaction.IsAdmissionChosenHere) learning.NoteLoading(transaction.TypeId, loading.HasLoaded);
        foreach (var entry in loading.Grains.Entries)
        {
            if (partitions.Owner(entry.Partition) is null) activeElsewhere.Add(entry.Key.Grain, context.Now);
        }

        reserving.Loaded();
    }

    /// <summary>Has those of this node activated that are not, and says when they are.</summary>
    public async Task LoadAsync(LoadMessage message)
    {
        List<Task<bool>>? loads = null;
        foreach (var entry in message.Grains?.Entries ?? [])
        {
            var owner = partitions.Owner(entry.Partition);
            var isLoadedOrElsewhere = owner is null
                ? knownOwners.NodeOf(entry) != context.Node
                : PartitionNames.IsRow(entry.Partition) || owner.GetParticipant(entry.Key).IsLoaded;
            if (isLoadedOrElsewhere) continue;
            (loads ??= []).Add(LoadAsync(entry));
        }

        var isLoaded = true;
        foreach (var load in loads ?? []) isLoaded &= await load;
        if (!context.IsStopped)
            mail.Send(message.Transaction.Node, new LoadedMessage
            {
                Transaction = message.Transaction,
                Count = loads?.Count ?? 0,
                AreAll = isLoaded,
            });
    }

    public async Task<bool> LoadAsync(PlannedReservation entry)
    {
        try
        {
            if (!await context.Host.LoadGrainAsync(entry.Key.Grain)) return false;
        }
        catch (Exception)
        {
            // Whoever calls the grain hears why, and of whom.
            return false;
        }

        if (partitions.Owner(entry.Partition)?.FindParticipant(entry.Key) is { } participant)
            participant.IsLoaded = true;
        return true;
    }

    public void OnLoaded(in Message message)
    {
        if (!transactions.TryFind(message.Transaction, out var transaction)
            || transaction.Agent is not { Reserving: { IsOver: false, Loading: { } loading } reserving } agent)
            return;
        var loaded = LoadedMessage.Read(message);
        if (!loaded.AreAll)
        {
            withdrawals.RunUnreserved(agent, keepsHeld: false);
            return;
        }

        reserving.MovedAt = context.Now;
        loading.Answered(message.From, loaded.Count);
        EndIfLoaded(transaction, reserving);
    }
}
