using BankAccount.Grains;
using BankSilo.Health;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Orleans;
using Orleans.Transactions;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Tracing;

namespace BankSilo.Api;

/// <summary>
/// The bank over HTTP: balances, deposits, transfers. It asks nobody who they are; what stands before it must. Each request
/// has an idempotency key, its own or that of the header <c>Idempotency-Key</c>: so the runtime itself makes a call again
/// whose silo has gone meanwhile, and a client may repeat a request that was not answered.
/// </summary>
internal static class BankApi
{
    private const string KeyHeader = "Idempotency-Key";
    private const uint Machines = 16;

    /// <summary>Adds the endpoints.</summary>
    /// <param name="routes">Where to.</param>
    /// <param name="grains">Asked for at each request, because there are none before the silo has started.</param>
    /// <param name="gate">Requests are refused while the silo is not ready.</param>
    public static void Map(RouteGroupBuilder routes, Func<IGrainFactory> grains, WorkGate gate)
    {
        routes.MapGet("/accounts/{owner}", context => AnswerAsync(context, gate, async () =>
        {
            var owner = Owner(context);
            return new AccountAnswer(owner, await grains().GetGrain<IAccountGrain>(owner).GetBalance());
        }));
        routes.MapPost("/accounts/{owner}/deposits", context => AnswerAsync(context, gate, async () =>
        {
            var owner = Owner(context);
            var deposit = await ReadAsync<DepositRequest>(context);
            if (deposit.Amount <= 0) throw new BadHttpRequestException("\"amount\" must be above 0.");
            await grains().GetGrain<IAccountGrain>(owner).Deposit(deposit.Amount);
            return new AccountAnswer(owner, null);
        }));
        routes.MapPost("/transfers", context => AnswerAsync(context, gate, async () =>
        {
            var transfer = await ReadAsync<TransferRequest>(context);
            if (string.IsNullOrEmpty(transfer.From) || string.IsNullOrEmpty(transfer.To) || transfer.From == transfer.To || transfer.Amount <= 0)
                throw new BadHttpRequestException("\"from\" and \"to\" must be two accounts, and \"amount\" above 0.");
            var (from, to) = (grains().GetGrain<IAccountGrain>(transfer.From), grains().GetGrain<IAccountGrain>(transfer.To));

            // Any cash machine does; many of them share the work. A key is one grain's: the same one's, if it comes again.
            await grains().GetGrain<IAtmGrain>(MachineOf(IdempotencyKey.Current!)).Transfer(from, to, transfer.Amount);
            return transfer;
        }));
    }

    private static string KeyOf(HttpContext context)
    {
        var given = context.Request.Headers[KeyHeader];
        if (given.Count == 0) return Guid.NewGuid().ToString("n");
        return given is [{ Length: <= IdempotencyKey.LengthMax } key] && !string.IsNullOrWhiteSpace(key)
            ? key : throw new BadHttpRequestException($"{KeyHeader} must be one text of 1 to {IdempotencyKey.LengthMax} characters.");
    }

    private static int MachineOf(string key) => (int)(key.Aggregate(17u, static (hash, next) => (hash * 31) + next) % Machines);

    private static string Owner(HttpContext context) => (string)context.Request.RouteValues["owner"]!;

    private static async Task<T> ReadAsync<T>(HttpContext context)
    {
        try
        {
            return await context.Request.ReadFromJsonAsync<T>(context.RequestAborted) ?? throw new BadHttpRequestException("The request has no body.");
        }
        catch (Exception exception) when (exception is System.Text.Json.JsonException or InvalidOperationException)
        {
            throw new BadHttpRequestException("The request's body is not the JSON object that it should be.", exception);
        }
    }

    private static async Task AnswerAsync<T>(HttpContext context, WorkGate gate, Func<Task<T>> handle)
    {
        if (!gate.IsOpen)
        {
            context.Response.Headers.RetryAfter = "1";
            await Refusal.WriteAsync(context, StatusCodes.Status503ServiceUnavailable, "This silo is not ready.");
            return;
        }

        try
        {
            using (IdempotencyKey.Use(KeyOf(context))) await context.Response.WriteAsJsonAsync(await handle(), context.RequestAborted);
        }
        catch (BadHttpRequestException exception)
        {
            await Refusal.WriteAsync(context, exception.StatusCode, exception.Message);
        }
        catch (IdempotencyException exception)
        {
            await Refusal.WriteAsync(context, StatusCodes.Status422UnprocessableEntity, exception.Message);
        }
        catch (OrleansTransactionAbortedException exception) when (exception.InnerException is InsufficientFundsException reason)
        {
            await Refusal.WriteAsync(context, StatusCodes.Status409Conflict, reason.Message);
        }
        catch (OrleansTransactionAbortedException exception) when (exception.InnerException is OverflowException)
        {
            await Refusal.WriteAsync(context, StatusCodes.Status409Conflict, "There is no room for as much money in the account, and nothing has changed.");
        }
        catch (Exception exception) when (exception is OrleansTransactionAbortedException || OutcomeOf(exception) == CallOutcome.GivenUp)
        {
            context.Response.Headers.RetryAfter = "1";
            await Refusal.WriteAsync(context, StatusCodes.Status503ServiceUnavailable, "Given up, and nothing has changed. Try again.");
        }
        catch (Exception exception) when (OutcomeOf(exception) == CallOutcome.InDoubt)
        {
            await Refusal.WriteAsync(context, StatusCodes.Status504GatewayTimeout, "Nobody said how it ended: look before you try again.");
        }
    }

    private static CallOutcome OutcomeOf(Exception exception) => CallOutcomes.Of(exception).Outcome;

    private sealed record AccountAnswer(string Owner, decimal? Balance);

    private sealed record DepositRequest(decimal Amount);

    private sealed record TransferRequest(string? From, string? To, decimal Amount);
}
