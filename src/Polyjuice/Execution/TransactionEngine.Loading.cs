using Polyjuice.Commit;
using Polyjuice.Hosting;
using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

// Loading: grains that are not active are activated before anything is reserved, because whoever reserves and then activates makes all wait for that who meet the transaction elsewhere.
internal sealed partial class TransactionEngine
{
    private readonly ActiveGrains _activeElsewhere = new();

    /// <summary>What of a known set is activated before the part of it that is hot is reserved: what is not known to be active, where some has to be lately.</summary>
    /// <param name="set">All of it.</param>
    /// <param name="hot">The part.</param>
    /// <param name="typeId">The transaction's type.</param>
    private ReservationPlan? GrainsToLoad(List<KnownAccess> set, ReservationPlan? hot, int typeId)
    {
        if (hot is not { IsPartial: true } || !Learning.HasToLoad(typeId)) return null;
        _activeElsewhere.Begin(hot.View, Context.Now);
        List<KnownAccess>? unknown = null;
        foreach (var access in set)
        {
            if (!IsKnownActive(access)) (unknown ??= []).Add(access);
        }

        if (unknown is not null) return PlanOf(hot.Type, typeId, unknown, isHotOnly: false, hot.IsLearned);
        Learning.NoteLoading(typeId, hasLoaded: false);
        return null;
    }

    private bool IsKnownActive(in KnownAccess access)
    {
        if (Partitions.Owner(NumberIn(access)) is not { } owner) return _activeElsewhere.Contains(access.Key.Grain);
        return access.IsRow || owner.FindParticipant(access.Key) is { IsLoaded: true };
    }

    /// <summary>The chain has come to a grain of this node's that is not active.</summary>
    private void TellCold(LocalTransaction transaction)
    {
        if (transaction.Agent is { } own) FoundCold(own);
        else Mail.Send(transaction.Id.Node, new Message { Kind = MessageKind.Reserved, Transaction = transaction.Id, Flags = MessageFlags.Unknown });
    }

    /// <summary>The chain of an attempt has come to a grain that is not active: it gives back what it holds, and has all of them activated that it would reserve.</summary>
    private void FoundCold(AgentTransaction agent)
    {
        if (agent.Reserving is not { IsOver: false, Loading: null } reserving) return;
        if (agent.Transaction.Reservations!.IsLoaded)
        {
            RunUnreserved(agent, keepsHeld: false);
            return;
        }

        GiveBack(agent, keepsHeld: false);
        BeginLoading(agent.Transaction, reserving, reserving.Plan);
    }

    private void BeginLoading(LocalTransaction transaction, Reserving reserving, ReservationPlan grains)
    {
        Context.Statistics.ReservationsToLoad++;
        var nodes = new List<NodeId>();
        foreach (var entry in grains.Entries)
        {
            if (KnownOwners.NodeOf(entry) is var node && node != NodeId.None && !nodes.Contains(node)) nodes.Add(node);
        }

        reserving.Loading = new LoadingGrains(grains, nodes);
        AskToLoad(transaction, reserving);
    }

    private void AskToLoad(LocalTransaction transaction, Reserving reserving)
    {
        reserving.Loading!.Missing.RemoveAll(Dead.Contains);
        foreach (var node in reserving.Loading.Missing) Mail.Send(node, new Message { Kind = MessageKind.Load, Transaction = transaction.Id, Plan = reserving.Loading.Grains });
        EndIfLoaded(transaction, reserving);
    }

    private void EndIfLoaded(LocalTransaction transaction, Reserving reserving)
    {
        if (reserving.Loading is not { Missing.Count: 0 } loading) return;
        if (transaction.IsAdmissionChosenHere) Learning.NoteLoading(transaction.TypeId, loading.HasLoaded);
        foreach (var entry in loading.Grains.Entries)
        {
            if (Partitions.Owner(entry.Partition) is null) _activeElsewhere.Add(entry.Key.Grain, Context.Now);
        }

        reserving.Loaded();
    }

    /// <summary>
    /// Begins the attempt that reserves, in the place of the one that had grains activated. Nobody has aborted that, so both count as one. It reserves what is hot by now: what was hot before would be in nobody's order any more.
    /// </summary>
    private AgentTransaction BeginLoaded(AgentTransaction agent, TransactionRequest request, GrainMethod method, ITransactionBody body, ReservationPlan? plan)
    {
        var earlier = agent.Transaction;
        Context.Statistics.Attempts--;
        earlier.Reservations!.IsGivenBack = true;
        agent.IsAdmitted = false;
        Aborts.AbortRunning(agent, new AbortInfo(AbortReason.Cancelled, request.Type));
        Finish(agent);
        if (plan is { IsPartial: true, IsLearned: true }) plan = HotPlanOfLearned(request, earlier.TypeId, body);
        else if (plan is { IsPartial: true }) plan = PlanOf(request.Type, earlier.TypeId, Known(request.AccessSet!.Of(body)), isHotOnly: true, isLearned: false);
        if (plan is null) return Start(request, method, body, earlier, agent.Cancellation);
        return BeginReserved(request, method, earlier, plan, grains: null, isLoaded: true, agent.Cancellation);
    }

    /// <summary>Has those of this node activated that are not, and says when they are.</summary>
    private async Task LoadAsync(Message message)
    {
        List<Task<bool>>? loads = null;
        foreach (var entry in message.Plan?.Entries ?? [])
        {
            var owner = Partitions.Owner(entry.Partition);
            if (owner is null ? KnownOwners.NodeOf(entry) != Context.Node : PartitionNames.IsRow(entry.Partition) || owner.GetParticipant(entry.Key).IsLoaded) continue;
            (loads ??= []).Add(LoadAsync(entry));
        }

        var isLoaded = true;
        foreach (var load in loads ?? []) isLoaded &= await load;
        if (!Context.IsStopped) Mail.Send(message.Transaction.Node, new Message { Kind = MessageKind.Loaded, Transaction = message.Transaction, Count = loads?.Count ?? 0, Flags = isLoaded ? MessageFlags.Final : MessageFlags.Unknown });
    }

    private async Task<bool> LoadAsync(PlannedReservation entry)
    {
        try
        {
            if (!await Context.Host.LoadGrainAsync(entry.Key.Grain)) return false;
        }
        catch (Exception)
        {
            // Whoever calls the grain hears why, and of whom.
            return false;
        }

        if (Partitions.Owner(entry.Partition)?.FindParticipant(entry.Key) is { } participant) participant.IsLoaded = true;
        return true;
    }

    private void OnLoaded(in Message message)
    {
        if (!Transactions.TryFind(message.Transaction, out var transaction) || transaction.Agent?.Reserving is not { IsOver: false, Loading: { } loading } reserving) return;
        if (message.Has(MessageFlags.Unknown))
        {
            RunUnreserved(transaction.Agent, keepsHeld: false);
            return;
        }

        reserving.MovedAt = Context.Now;
        loading.Answered(message.From, message.Count);
        EndIfLoaded(transaction, reserving);
    }
}
