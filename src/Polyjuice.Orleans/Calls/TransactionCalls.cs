using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Serialization;
using Orleans.Transactions;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Makes calls of requests. What it needs is looked up with the first
/// one: Orleans needs its makers before the rest is there. Thread-safe.
/// </summary>
internal sealed class TransactionCalls(IServiceProvider services)
{
    private readonly Lazy<ICallEnds> _ends = new(services.GetRequiredService<ICallEnds>);
    private readonly Lazy<Serializer<OrleansTransactionAbortedException>> _exceptions = new(
        services.GetRequiredService<Serializer<OrleansTransactionAbortedException>>);

    /// <summary>Takes a request over, unless that has happened.</summary>
    public TransactionCall Of(TransactionRequestBase request) =>
        request as TransactionCall ?? new TransactionCall(request, _ends.Value, _exceptions.Value, services);
}
