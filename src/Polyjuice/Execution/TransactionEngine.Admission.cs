using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

// Who may start: attempts of types whose transactions abort each other wait for their turn.
internal sealed partial class TransactionEngine
{
    private readonly AdmissionQueue _admission;
    private readonly AgreedAdmission _agreed;
    private readonly AgreedLimit _agreedLimit;
    private readonly TableChooser _chooser;

    /// <summary>The table in force: the policy's, or where that leaves it to the nodes, the one that they have chosen.</summary>
    internal PolicyTable Table
    {
        get
        {
            var table = _policies.Current;
            return ChoiceOf(table) ?? table;
        }
    }

    /// <summary>
    /// The name of the table that the nodes have chosen; <see langword="null"/> where the policy says which is in force. Other
    /// threads may see it a moment later.
    /// </summary>
    internal string? ChosenTable => ChoiceOf(_policies.Current)?.Name;

    /// <summary>Until the next tick what was chosen may be of another policy, with other tables.</summary>
    private PolicyTable? ChoiceOf(PolicyTable table)
    {
        var choices = table.Choices;
        return choices.Count == 0 ? null : choices[_chooser.Current < choices.Count ? _chooser.Current : 0];
    }

    /// <summary>By which a table is chosen; <see langword="null"/> where the policy says which is in force.</summary>
    internal ChoiceModel? ModelInForce => _policies.Current.Model;

    /// <summary>Another table, or another load, is there: how many may run is to be found out anew.</summary>
    internal void LimitBeginsAnew(long now) => _admission.BeginAnew(now);

    /// <summary>
    /// Attempts that wait for others to end before they start, now. Other threads may see it a moment later.
    /// </summary>
    public int HeldAttempts => _admission.Waiting;

    /// <summary>
    /// How many attempts of contended types may run at a time on this node; 0 while nothing is held back. Other threads
    /// may see it a moment later.
    /// </summary>
    public int AttemptLimit
    {
        get
        {
            var limit = _admission.Limit;
            return limit == ConflictLimit.Open ? 0 : limit;
        }
    }

    /// <summary>How much of what is under way stands still. Other threads may see it a moment later.</summary>
    public EngineLoad Load => new(HeldAttempts, Waits.Unordered, _transactions.Count);

    /// <summary>A transaction that has to wait before its first attempt. Its time runs.</summary>
    private async Task RunWhenAdmitted(TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken)
    {
        try
        {
            var since = Context.Now;
            var timeout = TimeoutOf(request);
            var typeId = PathOf(request, method).TypeId;
            await AwaitAdmission(request, typeId, SinceOf(request, since), since + timeout, attempts: 0, cancellationToken);
            var waited = Context.Now - since;
            request = request with { TimeoutMicroseconds = Math.Max(1, timeout - waited), WaitedMicroseconds = request.WaitedMicroseconds + waited };
        }
        catch (Exception exception)
        {
            OpenTime.Completed(request, body, exception);
            return;
        }

        await RunAdmitted(request, method, body, cancellationToken);
    }

    private static long SinceOf(TransactionRequest request, long now)
    {
        var came = now - request.WaitedMicroseconds;
        return request.SinceMicroseconds > 0 ? Math.Min(request.SinceMicroseconds, came) : came;
    }

    private bool TryEnter(TransactionRequest request, int typeId) => request.IsReadOnly || _admission.TryEnter(typeId, request.MayWaitToStart);

    /// <summary>Comes back when an attempt may start.</summary>
    /// <exception cref="Exception">Its time is up, its caller has cancelled, or the engine stops.</exception>
    private async Task AwaitAdmission(TransactionRequest request, int typeId, long since, long deadline, int attempts, CancellationToken cancellationToken)
    {
        var attempt = new WaitingAttempt(typeId, deadline, cancellationToken);
        _admission.Wait(attempt, since);
        Timers.EnsureTicking();
        await attempt.Over;
        if (attempt.Refusal != AbortReason.None)
            throw Exceptions.RefusalOf(request, new AbortInfo(attempt.Refusal, request.Type, Attempts: Math.Max(1, attempts)));
    }

    /// <summary>
    /// An attempt stands in nobody's way any more: it is sealed, which counts as a success until something says
    /// otherwise, or has ended.
    /// </summary>
    private void LeaveAdmission(AgentTransaction agent, AbortReason reason)
    {
        var transaction = agent.Transaction;
        if (transaction.IsReadOnly || (!agent.IsAdmitted && !reason.IsConflict())) return;
        _admission.Exempt(transaction.TypeId, IsChosenHere(transaction) && Learning.ArmOf(transaction.TypeId, Context.Now) == AdmissionArm.Reserve);
        if (agent.IsAdmitted) _admission.Leave(transaction.TypeId);
        agent.IsAdmitted = false;
        _admission.Ended(transaction.TypeId, reason);
    }

    /// <summary>Transaction types that this node has heard of.</summary>
    internal int TypesKnown => _policies.Registry.Types.Count;

    /// <summary>Whether rows of the table in force expose what was written and read that.</summary>
    internal bool TableHandsOn => Table.HandsOn;

    internal string NameOfType(int typeId) => _policies.Registry.Types[typeId];
}
