using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification;

/// <summary>What a message says became of a transaction, to a participant or to its agent.</summary>
/// <param name="IsCommitted">It has committed; else it has aborted.</param>
/// <param name="IsFinal">The manager's log says so.</param>
/// <param name="IsUnknown">It has aborted, because the manager does not know it (V4).</param>
internal readonly record struct ToldOutcome(bool IsCommitted, bool IsFinal, bool IsUnknown)
{
    /// <summary>None if it says nothing of that.</summary>
    public static ToldOutcome? Of(in Message message)
    {
        switch (message.Kind)
        {
            case MessageKind.Outcome:
                var outcome = OutcomeMessage.Read(message);
                return new(outcome.IsCommitted, outcome.IsFinal, outcome.IsUnknown);
            case MessageKind.AgentOutcome:
                var told = AgentOutcomeMessage.Read(message);
                return new(told.IsCommitted, told.IsFinal, told.IsUnknown);
            default:
                return null;
        }
    }
}
