using Orleans;
using Orleans.Serialization.Invocation;

namespace Polyjuice.Orleans.Calls;

/// <summary>What happens to calls of transactional methods at their two ends. Thread-safe.</summary>
internal interface ICallEnds
{
    /// <summary>Where what goes along with calls is looked for.</summary>
    CallForms Forms { get; }

    /// <summary>Makes a call, after the filters of the caller's side.</summary>
    /// <param name="context">The call.</param>
    /// <param name="call">Its request. The generated one in it is Orleans' own filter for such calls.</param>
    Task SendAsync(IOutgoingGrainCallContext context, TransactionCall call);

    /// <summary>Runs a call, after the filters of the side where it arrives.</summary>
    /// <param name="call">The call, whose target is set. A filter may run it more than once.</param>
    /// <param name="holder">Where it runs.</param>
    /// <returns>The answer, which filters see as that of a plain call: with the exception, if there is one.</returns>
    ValueTask<Response> ReceiveAsync(TransactionCall call, ITargetHolder? holder);
}
