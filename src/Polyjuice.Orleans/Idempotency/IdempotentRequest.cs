using Orleans;
using Orleans.Runtime;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Idempotency;

/// <summary>
/// A request whose key answers it once: within its transaction it looks for an answer before its method runs, and
/// records the answer when it has. So of two transactions with one key, the one that is later in the serial order
/// sees the other's answer, whatever has run at the same time.
/// </summary>
internal sealed class IdempotentRequest : WrappedRequest
{
    private readonly IdempotentCalls _calls;
    private readonly string _key;
    private readonly IGrainContext _grain;
    private readonly Guid _name;
    private readonly CallPrint _print;

    // Of all attempts the same, so that a run that repeats another one writes what that has written.
    private readonly long _expiresAt;

    /// <summary>Wraps a request.</summary>
    /// <param name="calls">Its surroundings.</param>
    /// <param name="key">Its key.</param>
    /// <param name="grain">The grain that is called.</param>
    /// <param name="request">The request.</param>
    /// <param name="exceptions">For the base class.</param>
    /// <param name="services">For the base class.</param>
    public IdempotentRequest(
        IdempotentCalls calls, string key, IGrainContext grain, TransactionRequestBase request,
        Serializer<OrleansTransactionAbortedException> exceptions, IServiceProvider services)
        : base(request, exceptions, services)
    {
        (_calls, _key, _grain) = (calls, key, grain);
        _name = PageNames.CallOf(grain.GrainId, key);
        _print = CallPrint.Of(request);
        _expiresAt = calls.Clock.Now + calls.Retention.Ticks;
    }

    /// <summary>What it accesses in any case, besides what its method does.</summary>
    public DeclaredAccess Access => new(
        new ParticipantKey(
            _calls.FirstPageOf(_name, _grain.GrainId).ToString(), IdempotencyKeys.State, nameof(IdempotencyKeys)),
        Updates: true);

    /// <inheritdoc/>
    protected override async ValueTask<Response> BaseInvoke()
    {
        var pages = _calls.PagesOf(_name, _grain.GrainId);
        if (await pages.FindAsync() is { } known) return AnswerOf(known);
        var response = await Request.Invoke();
        if (response is TransactionResponse whole)
        {
            if (whole.GetException() is { } failure) return Response.FromException(failure);
            response = whole.InnerResponse;
        }

        // What has asked for an abort has no effect that could be had twice.
        if (response.Exception is not null || CallScope.Current is { IsDeclined: true }) return response;
        var answer = _calls.Serializer.SerializeToArray<object>(response);
        if (answer.Length > _calls.AnswerBytesMax)
        {
            throw Refusal(
                IdempotencyFailure.AnswerTooLarge,
                $"has an answer of {answer.Length} bytes, and at most {_calls.AnswerBytesMax} are kept "
                + "(PolyjuiceOptions.IdempotentAnswerBytes)");
        }

        await pages.KeepAsync(new(_name, _print, _expiresAt, answer));
        return response;
    }

    private Response AnswerOf(AnsweredCall known)
    {
        if (known.Print.Method != _print.Method)
        {
            throw Refusal(
                IdempotencyFailure.OtherMethod, "has the key of a call of another method, which was answered");
        }

        if (known.Print.Arguments != _print.Arguments)
        {
            throw Refusal(
                IdempotencyFailure.OtherArguments, "has the key of a call with other arguments, which was answered");
        }

        return (Response)_calls.Serializer.Deserialize<object>(known.Answer)!;
    }

    private IdempotencyException Refusal(IdempotencyFailure failure, string what) => new(
        CallScope.Current is { } scope ? TransactionAgent.GuidOf(scope.Frame.TransactionId).ToString() : "",
        failure,
        $"The call of {GetInterfaceName()}.{GetMethodName()} on {_grain.GrainId} with the idempotency key '{_key}' "
        + $"{what}. Nothing of it has happened.");
}
