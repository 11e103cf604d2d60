using Orleans;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// A call of a transactional method, in place of the request that Orleans has generated for it: where it is made it is
/// its own filter, as that one is, and where it arrives it decides how often the method runs. To everybody else it is
/// that request. So only such calls pass any code of ours; a filter for all calls would send each of them through
/// Orleans' pipeline. On the wire it is that request too, with what goes
/// along (<see cref="CallCodec"/>). Its <see cref="WrappedRequest.Request"/> is the generated one, whose
/// <see cref="TransactionRequestBase.TransactionInfo"/> is the one that counts.
/// </summary>
internal sealed class TransactionCall : WrappedRequest, IOutgoingGrainCallFilter
{
    private readonly ICallEnds _ends;
    private ITargetHolder? _holder;

    /// <summary>Takes a request over.</summary>
    /// <param name="request">What Orleans has generated.</param>
    /// <param name="ends">What happens to it.</param>
    /// <param name="exceptions">For the base class.</param>
    /// <param name="services">For the base class.</param>
    public TransactionCall(
        TransactionRequestBase request,
        ICallEnds ends,
        Serializer<OrleansTransactionAbortedException> exceptions,
        IServiceProvider services)
        : base(request, exceptions, services) => _ends = ends;

    /// <summary>
    /// Of a call that starts a transaction: what tells it from all others. <see langword="null"/> if its caller is a
    /// client without Polyjuice.
    /// </summary>
    public SentCall? Sent { get; set; }

    /// <summary>
    /// Of a call within a transaction: where that runs. Where the call is delivered on the caller's silo, the very
    /// object arrives.
    /// </summary>
    public CallToken? Token { get; set; }

    /// <summary>Before it is made: takes something along, in this asynchronous flow.</summary>
    public void Take(SentCall sent)
    {
        Sent = _ends.Forms.AreNew ? sent : null;
        if (Sent is null) RequestContext.Set(SentCall.Name, sent);
    }

    /// <inheritdoc cref="Take(SentCall)"/>
    public void Take(CallToken token)
    {
        Token = _ends.Forms.AreNew ? token : null;
        if (Token is null) RequestContext.Set(CallToken.Name, token);
    }

    /// <summary>Where it has arrived: finds what it has taken along as version 0.1.0 does.</summary>
    public void Arrive()
    {
        Sent ??= CallContext.Take(SentCall.Name) as SentCall;
        Token ??= CallContext.Take(CallToken.Name) as CallToken;
    }

    /// <summary>How it ran here when it last did, as part of a transaction that another call has started.</summary>
    public JoinedRun? LastRun { get; set; }

    /// <summary>
    /// Whether it holds its arguments when it is disposed of. On the caller's silo this is the very object that the
    /// caller holds, who may make a call again that has failed.
    /// </summary>
    public bool KeepsArguments { get; set; }

    /// <summary>
    /// The number under which it has been let run here, so that a filter may invoke it again; empty before.
    /// </summary>
    public Guid Received { get; set; }

    /// <summary>
    /// Of a call that is made again: what is left of the time that
    /// its caller has for it. <see langword="null"/> for all of it.
    /// </summary>
    public TimeSpan? Left { get; set; }

    /// <inheritdoc/>
    Task IOutgoingGrainCallFilter.Invoke(IOutgoingGrainCallContext context) => _ends.SendAsync(context, this);

    /// <inheritdoc/>
    public override ValueTask<Response> Invoke() => _ends.ReceiveAsync(this, _holder);

    /// <inheritdoc/>
    public override void SetTarget(ITargetHolder holder)
    {
        base.SetTarget(holder);
        _holder = holder;

        // For whoever looks at it on this side.
        TransactionInfo = Request.TransactionInfo;
    }

    /// <inheritdoc/>
    public override TimeSpan? GetDefaultResponseTimeout() => Left ?? base.GetDefaultResponseTimeout();

    /// <inheritdoc/>
    public override void Dispose()
    {
        if (KeepsArguments) return;
        base.Dispose();
        Request.Dispose();
    }
}
