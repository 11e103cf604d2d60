using Polyjuice.Commit;
using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

// Dry runs: the body is run once to find out what it accesses, and to have it loaded.
internal sealed partial class TransactionEngine
{
    /// <summary>Finds out what a transaction is going to access, and then runs its attempts.</summary>
    private Task RunPlanned(PolicyAdmission admission, TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken)
    {
        // Most are planned at once, and need nothing that waits for that.
        var planned = Planning.PlanAsync(admission, request, method, body, earlier: null, cancellationToken);
        return planned.IsCompletedSuccessfully ? RunAttempts(planned.Result, request, method, body, cancellationToken) : RunWhenPlanned(planned, request, method, body, cancellationToken);
    }

    private async Task RunWhenPlanned(ValueTask<AgentTransaction> planned, TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken)
    {
        AgentTransaction agent;
        try
        {
            agent = await planned;
        }
        catch (Exception exception)
        {
            OpenTime.Completed(request, body, exception);
            return;
        }

        await RunAttempts(agent, request, method, body, cancellationToken);
    }
}
