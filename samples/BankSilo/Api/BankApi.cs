using BankAccount.Grains;
using Microsoft.AspNetCore.Http;
using SiloHosting;
using SiloHosting.Api;

namespace BankSilo.Api;

/// <summary>The bank over HTTP: balances, deposits, transfers.</summary>
internal static class BankApi
{
    private const uint Machines = 16;

    /// <summary>The bank, as a silo serves it.</summary>
    public static SiloApplication Application { get; } = new("bank", Map);

    private static void Map(ApiRoutes api)
    {
        api.Refuse<InsufficientFundsException>();
        api.Refuse<OverflowException>(
            _ => "There is no room for as much money in the account, and nothing has changed.");
        api.Get("/accounts/{owner}", async call =>
        {
            var owner = call.Text("owner");
            return new AccountAnswer(owner, await call.Grains.GetGrain<IAccountGrain>(owner).GetBalance());
        });
        api.Post("/accounts/{owner}/deposits", async call =>
        {
            var owner = call.Text("owner");
            var deposit = await call.ReadAsync<DepositRequest>();
            if (deposit.Amount <= 0) throw new BadHttpRequestException("\"amount\" must be above 0.");
            await call.Grains.GetGrain<IAccountGrain>(owner).Deposit(deposit.Amount);
            return new AccountAnswer(owner, null);
        });
        api.Post("/transfers", async call =>
        {
            var transfer = await call.ReadAsync<TransferRequest>();
            if (transfer is not { From.Length: > 0, To.Length: > 0, Amount: > 0 } || transfer.From == transfer.To)
                throw new BadHttpRequestException("\"from\" and \"to\" must be two accounts, and \"amount\" above 0.");
            var from = call.Grains.GetGrain<IAccountGrain>(transfer.From);
            var to = call.Grains.GetGrain<IAccountGrain>(transfer.To);

            // Any cash machine does; many share the work. A key is one grain's: the same one's, if it comes again.
            await call.Grains.GetGrain<IAtmGrain>(MachineOf(call.Key)).Transfer(from, to, transfer.Amount);
            return transfer;
        });
    }

    private static int MachineOf(string key) =>
        (int)(key.Aggregate(17u, static (hash, next) => (hash * 31) + next) % Machines);

    private sealed record AccountAnswer(string Owner, decimal? Balance);

    private sealed record DepositRequest(decimal Amount);

    private sealed record TransferRequest(string? From, string? To, decimal Amount);
}
