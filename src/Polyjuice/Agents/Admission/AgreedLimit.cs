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
        mail.Send(leader, new AttemptLimitReport
        {
            Commits = news.Commits,
            Conflicts = news.Conflicts,
            Running = news.Running,
            Peak = news.Peak,
            IsBinding = news.IsBinding,
            BeginsAnew = news.BeginsAnew,
        });
    }

    /// <summary>Another node tells what is new there, or which limit is in force.</summary>
    public void Heard(in Message message)
    {
        var leader = owners.Leader();
        if (!AttemptLimitReport.Is(message))
        {
            var told = AttemptLimitAnswer.Read(message);
            if (message.From == leader) queue.Follow(told.Limit, told.AbortShare, context.Now);
            return;
        }

        if (leader != context.Node) return;
        var report = AttemptLimitReport.Read(message);
        var news = new LimitReport(
            report.Commits, report.Conflicts, report.Running, report.Peak, report.IsBinding, report.BeginsAnew);
        if (!queue.TryHear(message.From, news, context.Now, out var limit, out var share)) return;
        mail.Send(message.From, new AttemptLimitAnswer { Limit = limit, AbortShare = share });
    }
}
