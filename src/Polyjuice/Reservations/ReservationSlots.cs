using Polyjuice.Versions;

namespace Polyjuice.Reservations;

/// <summary>What is kept of reservations with a transaction and with a state.</summary>
internal static class ReservationSlots
{
    extension(LocalTransaction transaction)
    {
        /// <summary>What it has reserved here, and plans to.</summary>
        public TransactionReservations? Reservations
        {
            get => (TransactionReservations?)transaction.ReservedStates;
            set => transaction.ReservedStates = value;
        }

        /// <summary>Set when this is no attempt, but a dry run.</summary>
        public DryRun? DryRun => transaction.Reservations?.DryRun;
    }

    extension(Participant participant)
    {
        /// <summary>Those who have reserved it, or wait to; <see langword="null"/> when there are none.</summary>
        public ReservationQueue? Reservations
        {
            get => (ReservationQueue?)participant.Reserved;
            set => participant.Reserved = value;
        }

        /// <summary>The queue to join.</summary>
        public ReservationQueue ReservationsOf(ReservationQueues queues) =>
            participant.Reservations ??= new ReservationQueue(queues, participant);
    }
}
