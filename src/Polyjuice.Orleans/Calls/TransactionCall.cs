using System.Reflection;
using Orleans;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// A call of a transactional method, in place of the request that Orleans has generated for it: where it is made it is its own filter, as that one is, and where it arrives it decides how often the method runs. To everybody else it
/// is that request. So only such calls pass any code of ours; a filter for all calls would send each of them through Orleans' pipeline. It never travels: on the wire is the request (<see cref="CallCodec"/>).
/// </summary>
internal sealed class TransactionCall : TransactionRequestBase, IOutgoingGrainCallFilter
{
    private readonly ICallEnds _ends;
    private ITargetHolder? _holder;

    /// <summary>Takes a request over.</summary>
    /// <param name="request">What Orleans has generated.</param>
    /// <param name="ends">What happens to it.</param>
    /// <param name="exceptions">For the base class.</param>
    /// <param name="services">For the base class.</param>
    public TransactionCall(TransactionRequestBase request, ICallEnds ends, Serializer<OrleansTransactionAbortedException> exceptions, IServiceProvider services) : base(exceptions, services)
    {
        Request = request;
        _ends = ends;
        TransactionOption = request.TransactionOption;
        UseExclusiveLock = request.UseExclusiveLock;
        AddInvokeMethodOptions(request.Options);
    }

    /// <summary>The generated request. Its <see cref="TransactionRequestBase.TransactionInfo"/> is the one that counts.</summary>
    public TransactionRequestBase Request { get; }

    /// <summary>How it ran here when it last did, as part of a transaction that another call has started.</summary>
    public JoinedRun? LastRun { get; set; }

    /// <summary>
    /// Whether it holds its arguments when it is disposed of. On the caller's silo this is the very object that the
    /// caller holds, who may make a call again that has failed.
    /// </summary>
    public bool KeepsArguments { get; set; }

    /// <summary>The number under which it has been let run here, so that a filter may invoke it again; empty before.</summary>
    public Guid Received { get; set; }

    /// <summary>Of a call that is made again: what is left of the time that its caller has for it. <see langword="null"/> for all of it.</summary>
    public TimeSpan? Left { get; set; }

    /// <inheritdoc/>
    public override bool IsCancellable => Request.IsCancellable;

    /// <inheritdoc/>
    Task IOutgoingGrainCallFilter.Invoke(IOutgoingGrainCallContext context) => _ends.SendAsync(context, Request);

    /// <inheritdoc/>
    public override ValueTask<Response> Invoke() => _ends.ReceiveAsync(this, _holder);

    /// <inheritdoc/>
    public override void SetTarget(ITargetHolder holder)
    {
        Request.SetTarget(holder);
        _holder = holder;

        // For whoever looks at it on this side.
        TransactionInfo = Request.TransactionInfo;
    }

    /// <inheritdoc/>
    public override object GetTarget() => Request.GetTarget();

    /// <inheritdoc/>
    public override int GetArgumentCount() => Request.GetArgumentCount();

    /// <inheritdoc/>
    public override object GetArgument(int index) => Request.GetArgument(index);

    /// <inheritdoc/>
    public override void SetArgument(int index, object value) => Request.SetArgument(index, value);

    /// <inheritdoc/>
    public override string GetMethodName() => Request.GetMethodName();

    /// <inheritdoc/>
    public override string GetInterfaceName() => Request.GetInterfaceName();

    /// <inheritdoc/>
    public override string GetActivityName() => Request.GetActivityName();

    /// <inheritdoc/>
    public override Type GetInterfaceType() => Request.GetInterfaceType();

    /// <inheritdoc/>
    public override MethodInfo GetMethod() => Request.GetMethod();

    /// <inheritdoc/>
    public override TimeSpan? GetDefaultResponseTimeout() => Left ?? Request.GetDefaultResponseTimeout();

    /// <inheritdoc/>
    public override CancellationToken GetCancellationToken() => Request.GetCancellationToken();

    /// <inheritdoc/>
    public override bool TryCancel() => Request.TryCancel();

    /// <inheritdoc/>
    public override string ToString() => Request.ToString();

    /// <inheritdoc/>
    public override void Dispose()
    {
        if (KeepsArguments) return;
        base.Dispose();
        Request.Dispose();
    }

    /// <inheritdoc/>
    protected override ValueTask<Response> BaseInvoke() => Request.Invoke();
}
