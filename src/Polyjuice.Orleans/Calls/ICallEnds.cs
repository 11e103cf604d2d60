using Orleans;
using Orleans.Serialization.Invocation;

namespace Polyjuice.Orleans.Calls;

/// <summary>What happens to calls of transactional methods at their two ends. Thread-safe.</summary>
internal interface ICallEnds
{
    /// <summary>Makes a call, after the filters of the caller's side.</summary>
    /// <param name="context">The call.</param>
    /// <param name="request">The generated request. It is Orleans' own filter for such calls.</param>
    Task SendAsync(IOutgoingGrainCallContext context, TransactionRequestBase request);

    /// <summary>Runs a call, after the filters of the side where it arrives.</summary>
    /// <param name="request">The generated request, whose target is set.</param>
    /// <param name="holder">Where it runs.</param>
    /// <returns>The answer. It throws when there is none to give but an exception; then Orleans leaves the request as it is, and the caller may make the call again.</returns>
    ValueTask<Response> ReceiveAsync(TransactionRequestBase request, ITargetHolder? holder);
}
