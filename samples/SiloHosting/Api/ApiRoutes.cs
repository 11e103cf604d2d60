using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Orleans;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans;
using SiloHosting.Health;

namespace SiloHosting.Api;

/// <summary>
/// An application's endpoints: JSON over HTTP. They ask nobody who they are; what stands before them must. Each
/// request but a PUT has an idempotency key, its own or that of the header <c>Idempotency-Key</c>: so the runtime
/// itself makes a call again whose silo has gone meanwhile, and a client may repeat a request that was not answered.
/// How calls end:
/// <list type="table">
/// <item><term>200</term><description>what the handler answers</description></item>
/// <item>
/// <term>400 and others</term>
/// <description>
/// what the handler throws as <see cref="BadHttpRequestException"/>, and what is not the JSON that it reads
/// </description>
/// </item>
/// <item><term>422</term><description>the key is another request's</description></item>
/// <item>
/// <term>503, with Retry-After</term>
/// <description>
/// the silo is not ready, or the call was given up; nothing has changed, or not all that a PUT is to change
/// </description>
/// </item>
/// <item><term>504</term><description>nobody knows how it ended</description></item>
/// <item>
/// <term>what <see cref="Refuse{T}"/> says</term>
/// <description>the grains' own exceptions; nothing has changed</description>
/// </item>
/// </list>
/// </summary>
public sealed class ApiRoutes
{
    private const string GivenUp = "Given up, and nothing has changed. Try again.";
    private const string InDoubt = "Nobody said how it ended: look before you try again.";

    // What makes several calls, and may be repeated for that.
    private const string GivenUpHalfway = "Given up before all of it was done. Send it again.";

    private readonly Dictionary<Type, (int Status, Func<Exception, string> Reason)> _refusals = [];
    private readonly RouteGroupBuilder _routes;
    private readonly Func<IGrainFactory> _grains;
    private readonly WorkGate _gate;

    /// <summary>Begins without any.</summary>
    /// <param name="routes">Where to.</param>
    /// <param name="grains">Asked for at each request, because there are none before the silo has started.</param>
    /// <param name="gate">Requests are refused while the silo is not ready.</param>
    internal ApiRoutes(RouteGroupBuilder routes, Func<IGrainFactory> grains, WorkGate gate) =>
        (_routes, _grains, _gate) = (routes, grains, gate);

    /// <summary>Adds what reads.</summary>
    public void Get<T>(string pattern, Func<ApiCall, Task<T>> handle) =>
        _routes.MapGet(pattern, context => AnswerAsync(context, handle, isKeyed: true));

    /// <summary>Adds what has its effect once for each key.</summary>
    public void Post<T>(string pattern, Func<ApiCall, Task<T>> handle) =>
        _routes.MapPost(pattern, context => AnswerAsync(context, handle, isKeyed: true));

    /// <summary>Adds what may be repeated as it is, and so has no key.</summary>
    public void Put<T>(string pattern, Func<ApiCall, Task<T>> handle) =>
        _routes.MapPut(pattern, context => AnswerAsync(context, handle, isKeyed: false));

    /// <summary>
    /// Says what is answered when grains throw an exception of this type, and so abort their transaction.
    /// </summary>
    /// <param name="reason">Why, and what to do; the exception's message if it is none.</param>
    /// <param name="status">The status.</param>
    public void Refuse<T>(Func<T, string>? reason = null, int status = StatusCodes.Status409Conflict)
        where T : Exception =>
        _refusals.Add(typeof(T), (status, exception => reason?.Invoke((T)exception) ?? exception.Message));

    private async Task AnswerAsync<T>(HttpContext context, Func<ApiCall, Task<T>> handle, bool isKeyed)
    {
        if (!_gate.IsOpen)
        {
            context.Response.Headers.RetryAfter = "1";
            await Refusal.WriteAsync(context, StatusCodes.Status503ServiceUnavailable, "This silo is not ready.");
            return;
        }

        try
        {
            var call = new ApiCall(context, _grains());
            using (isKeyed ? IdempotencyKey.Use(call.Key) : null)
                await context.Response.WriteAsJsonAsync(await handle(call), context.RequestAborted);
        }
        catch (BadHttpRequestException exception)
        {
            await Refusal.WriteAsync(context, exception.StatusCode, exception.Message);
        }
        catch (IdempotencyException exception)
        {
            await Refusal.WriteAsync(context, StatusCodes.Status422UnprocessableEntity, exception.Message);
        }
        catch (Exception exception) when (RefusalOf(exception) is { } refusal)
        {
            await Refusal.WriteAsync(context, refusal.Status, refusal.Reason);
        }
        catch (Exception exception) when (
            exception is OrleansTransactionAbortedException || CallOutcomes.Of(exception) == CallOutcome.GivenUp)
        {
            context.Response.Headers.RetryAfter = "1";
            await Refusal.WriteAsync(
                context, StatusCodes.Status503ServiceUnavailable, isKeyed ? GivenUp : GivenUpHalfway);
        }
        catch (Exception exception) when (CallOutcomes.Of(exception) == CallOutcome.InDoubt)
        {
            await Refusal.WriteAsync(
                context, StatusCodes.Status504GatewayTimeout, isKeyed ? InDoubt : GivenUpHalfway);
        }
    }

    private (int Status, string Reason)? RefusalOf(Exception exception) =>
        exception is OrleansTransactionAbortedException { InnerException: { } thrown }
        && _refusals.TryGetValue(thrown.GetType(), out var refusal)
            ? (refusal.Status, refusal.Reason(thrown))
            : null;
}
