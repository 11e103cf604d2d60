using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// Hears what an engine is told and asks for. Whoever hears more of it implements what the floors above add.
/// </summary>
internal interface IMessageEvents
{
    /// <summary>
    /// R2, R1c: a batch of messages or a call is accepted, which says its sender's clock and oldest live attempt.
    /// </summary>
    /// <param name="from">The sender.</param>
    /// <param name="clock">Its clock.</param>
    /// <param name="last">The receiver's clock before that.</param>
    /// <param name="oldestLive">The sender's oldest live attempt; 0 when that is not taken from it.</param>
    void Heard(NodeId from, long clock, long last, long oldestLive);

    /// <summary>R1c: a call from another silo begins to run here.</summary>
    void Entered(TransactionId id, NodeId caller, long callId);

    /// <summary>R2: an agent asks a participant to order a transaction.</summary>
    void Prepares(in Message prepare);
}
