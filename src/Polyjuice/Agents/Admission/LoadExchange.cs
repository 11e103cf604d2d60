using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// What nodes tell each other of their load, so that all choose alike: what is hot, how types are let in, the table,
/// and the limit.
/// </summary>
internal sealed class LoadExchange(
    EngineContext context, PolicyStore policies, TablesInForce tables, TableChooser chooser, TypeLearning learning,
    Mail mail, KnownOwners owners, AdmissionQueue queue)
{
    private readonly AgreedAdmission _admission = new(context, tables, learning, mail, owners);
    private readonly AgreedLimit _limit = new(context, policies, mail, owners, queue);

    /// <summary>Which participants are hot.</summary>
    public HotParticipants Hot { get; } = new(context, mail, owners.InOrder);

    public void Tick(long now)
    {
        Hot.Tick(now);
        _admission.Tick();
        chooser.Tick(now);
        _limit.Tick(now);
    }

    /// <summary>Another node tells of its load.</summary>
    public void Heard(in Message message)
    {
        switch (message.Kind)
        {
            case MessageKind.Hot:
                if (HotMessage.Read(message).Participants is { } hot) Hot.Heard(hot);
                break;
            case MessageKind.Admission:
                _admission.Heard(message);
                break;
            case MessageKind.AttemptLimit:
                _limit.Heard(message);
                break;
            case MessageKind.Choice:
                chooser.Heard(message);
                break;
        }
    }
}
