using Polyjuice.Partitions;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.Rules;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Actions;

/// <summary>An owner says something (V1 to V6).</summary>
internal static class Say
{
    /// <summary>It does.</summary>
    public static void Take(SpecificationState state, in OwnerSaid e)
    {
        if (state.Owner(e.Node, e.Partition) is not { } owner) return;
        L1Fence.Check(owner, state.Transaction(e.Message.Transaction), e);
        switch (e.Message.Kind)
        {
            case MessageKind.PrepareReply:
                Reply(state, owner, e);
                break;
            case MessageKind.Vote when VoteMessage.Read(e.Message).IsDenied:
                V2Decider.CheckDenial(owner, e);
                break;
            case MessageKind.Vote:
                Vote(state, owner, e);
                break;
            case MessageKind.Outcome or MessageKind.AgentOutcome
                when ToldOutcome.Of(e.Message) is { IsCommitted: true }:
                Commit(state, owner, e);
                break;
            case MessageKind.Outcome or MessageKind.AgentOutcome when ToldOutcome.Of(e.Message) is { IsUnknown: true }:
                Unknown(state, owner, e);
                break;
            case MessageKind.Outcome or MessageKind.AgentOutcome:
                Abort(state, owner, e);
                break;
            case MessageKind.VoteQuery:
                owner.Unasked.Remove(e.Message.Transaction);
                break;
            case MessageKind.Acknowledge:
                V6Forgetting.CheckAcknowledge(owner, e);
                break;
            case MessageKind.DependencyAnswer:
                Answer(state, owner, e);
                break;
        }
    }

    private static void Answer(SpecificationState state, OwnerModel owner, in OwnerSaid e)
    {
        var answer = DependencyAnswerMessage.Read(e.Message);
        if (!answer.IsCommitted)
        {
            V6Forgetting.CheckDependencyAborted(state, owner, e);
            return;
        }

        V5Resolution.CheckCommitted(state, answer.Dependency, e.ToString());
        state.Transaction(answer.Dependency).Outcome = true;
    }

    private static void Reply(SpecificationState state, OwnerModel owner, in OwnerSaid e)
    {
        var reply = PrepareReplyMessage.Read(e.Message);
        if (reply.IsOrdered)
        {
            R1Order.Check(owner, e);
            return;
        }

        var transaction = state.Transaction(reply.Transaction);
        if (reply.NeverCommits) transaction.IsRefused = true;

        // Who was only asked which timestamp would do has refused nothing; and the
        // refusal may be of another epoch's prepare, which the reply does not say.
        if (owner.Find(reply.Transaction) is not { } branch
            || transaction.Prepares.Exists(
                one => one.Partition == owner.Partition && one.Round == reply.Round
                    && (one.Timestamp == 0 || one.Epoch != owner.Epoch)))
            return;
        branch.RefusedRound = Math.Max(branch.RefusedRound, reply.Round);
    }

    private static void Vote(SpecificationState state, OwnerModel owner, in OwnerSaid e)
    {
        V1Votes.Check(state, owner, e);
        var vote = VoteMessage.Read(e.Message);
        var transaction = state.Transaction(vote.Transaction);
        if (transaction.VoteOf(owner.Partition, vote.Round) is { } earlier) transaction.Votes.Remove(earlier);
        transaction.Votes.Add(
            new VoteModel(
                owner.Partition,
                vote.Epoch,
                vote.Round,
                vote.Timestamp,
                vote.IsLogged,
                vote.Dependencies ?? []));
        if (owner.Find(vote.Transaction) is { } branch) branch.HasVoted = true;
    }

    private static void Commit(SpecificationState state, OwnerModel owner, in OwnerSaid e)
    {
        var transaction = state.Transaction(e.Message.Transaction);
        V2Decider.CheckSilence(owner, transaction, e);
        V5Resolution.CheckCommitted(state, transaction.Id, e.ToString());
        if (e.Message.Kind == MessageKind.Outcome && OutcomeMessage.Read(e.Message).IsFinal)
            V5Resolution.CheckFinal(state, owner, transaction, e);
        transaction.Outcome = true;
        if (e.Message.Kind == MessageKind.AgentOutcome) transaction.IsCommitAnswered = true;
    }

    private static void Unknown(SpecificationState state, OwnerModel owner, in OwnerSaid e)
    {
        var transaction = state.Transaction(e.Message.Transaction);
        V2Decider.CheckSilence(owner, transaction, e);
        V2Decider.CheckStaged(owner, e);
        V4Presumed.CheckUnknown(state, owner, e);
        V6Forgetting.CheckUnknown(state, owner, e);
        transaction.IsUnknownSaid = true;
        if (e.Message.Kind == MessageKind.AgentOutcome) transaction.IsAbortAnswered = true;
    }

    private static void Abort(SpecificationState state, OwnerModel owner, in OwnerSaid e)
    {
        var transaction = state.Transaction(e.Message.Transaction);
        V2Decider.CheckSilence(owner, transaction, e);
        V3Aborts.CheckRecording(owner, e);
        FinalSteps.CheckAbort(owner, transaction, e.ToString());
        V4Presumed.CheckAbort(state, owner, transaction, e);
        transaction.Outcome = false;
        transaction.IsAbortSaid = true;
        owner.AbortsSaid.Add(transaction.Id);
        if (e.Message.Kind == MessageKind.AgentOutcome) transaction.IsAbortAnswered = true;
    }
}
