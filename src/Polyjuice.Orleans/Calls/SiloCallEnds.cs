using Orleans;
using Orleans.Serialization.Invocation;

namespace Polyjuice.Orleans.Calls;

/// <summary>Calls of transactional methods that a silo makes and gets.</summary>
internal sealed class SiloCallEnds(OutgoingCalls outgoing, IncomingCalls incoming, CallForms forms) : ICallEnds
{
    /// <inheritdoc/>
    public CallForms Forms => forms;

    /// <inheritdoc/>
    public Task SendAsync(IOutgoingGrainCallContext context, TransactionCall call) => outgoing.SendAsync(context, call);

    /// <inheritdoc/>
    public ValueTask<Response> ReceiveAsync(TransactionCall call, ITargetHolder? holder) =>
        incoming.ReceiveAsync(call, holder);
}
