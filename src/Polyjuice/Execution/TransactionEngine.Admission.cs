using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

// Who may start: attempts of types whose transactions abort each other wait for their turn.
internal sealed partial class TransactionEngine
{
    /// <summary>A transaction that has to wait before its first attempt. Its time runs.</summary>
    private async Task RunWhenAdmitted(TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken)
    {
        try
        {
            var since = Context.Now;
            var timeout = Starts.TimeoutOf(request);
            var typeId = Paths.Root(request.Type, method).TypeId;
            await Admission.Await(request, typeId, SinceOf(request, since), since + timeout, attempts: 0, cancellationToken);
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
}
