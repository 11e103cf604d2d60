using System.Reflection;
using Orleans;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;

namespace Polyjuice.Orleans.Calls;

/// <summary>A request around another one: to everybody who looks at it, it is that one.</summary>
internal abstract class WrappedRequest : TransactionRequestBase
{
    /// <summary>Wraps a request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="exceptions">For the base class.</param>
    /// <param name="services">For the base class.</param>
    protected WrappedRequest(
        TransactionRequestBase request,
        Serializer<OrleansTransactionAbortedException> exceptions,
        IServiceProvider services)
        : base(exceptions, services)
    {
        Request = request;
        TransactionOption = request.TransactionOption;
        UseExclusiveLock = request.UseExclusiveLock;
        AddInvokeMethodOptions(request.Options);
    }

    /// <summary>What is wrapped.</summary>
    public TransactionRequestBase Request { get; }

    /// <inheritdoc/>
    public override bool IsCancellable => Request.IsCancellable;

    /// <inheritdoc/>
    public override void SetTarget(ITargetHolder holder) => Request.SetTarget(holder);

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
    public override TimeSpan? GetDefaultResponseTimeout() => Request.GetDefaultResponseTimeout();

    /// <inheritdoc/>
    public override CancellationToken GetCancellationToken() => Request.GetCancellationToken();

    /// <inheritdoc/>
    public override bool TryCancel() => Request.TryCancel();

    /// <inheritdoc/>
    public override string ToString() => Request.ToString();

    /// <inheritdoc/>
    protected override ValueTask<Response> BaseInvoke() => Request.Invoke();
}
