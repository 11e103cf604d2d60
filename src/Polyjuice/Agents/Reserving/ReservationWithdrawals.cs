using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Gives reservations back that an attempt does not wait for any longer.</summary>
internal sealed class ReservationWithdrawals(Mail mail, TransactionTable transactions)
{
    /// <summary>The body runs without what its attempt does not hold yet, or without any of it.</summary>
    public void RunUnreserved(AgentTransaction agent, bool keepsHeld)
    {
        if (agent.Reserving is not { IsOver: false } reserving) return;
        GiveBack(agent, keepsHeld);
        reserving.Stop();
    }

    /// <summary>Leaves the queues where the attempt waits, or all of them.</summary>
    public void GiveBack(AgentTransaction agent, bool keepsHeld)
    {
        var transaction = agent.Transaction;
        Withdraw(transaction.Reservations!, keepsHeld);
        mail.SendToAll(
            transaction.Visited, new WithdrawMessage { Transaction = transaction.Id, KeepsHeld = keepsHeld });
    }

    public void OnWithdraw(in Message message)
    {
        if (transactions.TryFind(message.Transaction, out var transaction)
            && transaction.Reservations is { } reservations)
            Withdraw(reservations, WithdrawMessage.Read(message).KeepsHeld);
    }

    private static void Withdraw(TransactionReservations reservations, bool keepsHeld)
    {
        reservations.WasCutShort = true;
        if (keepsHeld) reservations.StopWaiting();
        else reservations.ReleaseAll();
    }
}
