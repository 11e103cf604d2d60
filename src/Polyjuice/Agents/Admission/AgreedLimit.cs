using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Lets silos go by one limit (<see cref="SharedLimit"/>): each tells the one that finds it out what has ended there,
/// once in a tick, and hears the limit in return. That is the owner of a log with the lowest number, as for
/// <see cref="Polyjuice.Agents.AgreedAdmission"/>. Speed only: who hears nothing finds it out for itself. Turn only.
/// </summary>
internal sealed class AgreedLimit(
    EngineContext context, PolicyStore policies, Mail mail, KnownOwners owners, AdmissionQueue queue)
{
    private const double Millionths = 1e6;

    private int _policyVersion;

    /// <summary>Tells what is new.</summary>
    public void Tick(long now)
    {
        var version = policies.Current.Version;
        if (_policyVersion > 0 && version != _policyVersion) queue.BeginAnew(now);
        _policyVersion = version;
        if (!queue.HasNews) return;
        var leader = owners.Leader();
        if (leader == context.Node || leader == NodeId.None)
        {
            queue.Lead(now);
            return;
        }

        var news = queue.TakeNews();
        mail.Send(leader, new Message
        {
            Kind = MessageKind.AttemptLimit,
            Flags = MessageFlags.Asks | (news.IsBinding ? MessageFlags.Committed : MessageFlags.None)
                | (news.BeginsAnew ? MessageFlags.Anew : MessageFlags.None),
            ManagerEpoch = news.Commits,
            Timestamp = news.Conflicts,
            Epoch = news.Running,
            Count = news.Peak,
        });
    }

    /// <summary>Another node tells what is new there, or which limit is in force.</summary>
    public void Heard(in Message message)
    {
        var leader = owners.Leader();
        if (!message.Has(MessageFlags.Asks))
        {
            if (message.From == leader) queue.Follow(message.Count, message.Timestamp / Millionths, context.Now);
            return;
        }

        if (leader != context.Node) return;
        var news = new LimitReport(
            message.ManagerEpoch,
            message.Timestamp,
            (int)message.Epoch,
            message.Count,
            message.Has(MessageFlags.Committed),
            message.Has(MessageFlags.Anew));
        if (!queue.TryHear(message.From, news, context.Now, out var limit, out var share)) return;
        mail.Send(message.From, new Message
        {
            Kind = MessageKind.AttemptLimit, Count = limit, Timestamp = (long)(share * Millionths),
        });
    }
}
