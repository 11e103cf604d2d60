using Microsoft.AspNetCore.Http;
using Polyjuice.Orleans;
using Smallbank.Grains;
using SiloHosting;
using SiloHosting.Api;
using SmallbankSilo.Grains;

namespace SmallbankSilo.Api;

/// <summary>
/// Smallbank over HTTP: its accounts, the six transactions and the transfer to several, and the money in all
/// accounts. Amounts are cents.
/// </summary>
internal sealed class SmallbankApi
{
    private const int AccountsMax = 10_000;
    private const int PayeesMax = 32;

    // It would take billions of such deposits until an account can't hold them.
    private const long AmountMax = 1_000_000_00;

    // There is one bank, and once it is open it stays as it is.
    private volatile BankTerms? _open;

    private SmallbankApi()
    {
    }

    /// <summary>Smallbank, as a silo serves it.</summary>
    public static SiloApplication Application { get; } = new("smallbank", api => new SmallbankApi().Map(api));

    private void Map(ApiRoutes api)
    {
        api.Refuse<InsufficientFundsException>();
        api.Refuse<OtherTermsException>();
        api.Put("/bank", OpenAsync);
        api.Get("/bank", async call => Answer(await ReadAsync(call)));
        api.Get("/bank/total", async call =>
        {
            var terms = await TermsAsync(call);
            return new TotalAnswer(terms.Accounts, await Bank(call).Total());
        });
        api.Get("/accounts/{account}", async call =>
        {
            var account = await AccountAsync(call);
            return new BalanceAnswer(account, await Grain(call, account).Balance());
        });
        api.Post("/accounts/{account}/deposits", async call =>
        {
            var (account, amount) = (await AccountAsync(call), await AmountAsync(call, 1));
            await Grain(call, account).DepositChecking(amount);
            return new AmountAnswer(account, amount);
        });
        api.Post("/accounts/{account}/savings", async call =>
        {
            var (account, amount) = (await AccountAsync(call), await AmountAsync(call, -AmountMax));
            await Grain(call, account).TransactSavings(amount);
            return new AmountAnswer(account, amount);
        });
        api.Post("/accounts/{account}/checks", async call =>
        {
            var (account, amount) = (await AccountAsync(call), await AmountAsync(call, 1));
            return new CheckAnswer(account, await Grain(call, account).WriteCheck(amount));
        });
        api.Post("/accounts/{account}/amalgamations", async call =>
        {
            var account = await AccountAsync(call);
            var request = await call.ReadAsync<AmalgamationRequest>();
            await Grain(call, account).Amalgamate(await OtherAsync(call, "into", request.Into, account));
            return request;
        });
        api.Post("/accounts/{account}/payments", async call =>
        {
            var account = await AccountAsync(call);
            var request = await call.ReadAsync<PaymentRequest>();
            ApiCall.Bounded(request.Amount, "amount", 1, AmountMax);
            var isPaid = await Grain(call, account).SendPayment(
                await OtherAsync(call, "to", request.To, account), request.Amount);
            if (isPaid) return request;
            throw new BadHttpRequestException(new InsufficientFundsException().Message, StatusCodes.Status409Conflict);
        });
        api.Post("/accounts/{account}/transfers", async call =>
        {
            var account = await AccountAsync(call);
            var request = await call.ReadAsync<TransferRequest>();
            ApiCall.Bounded(request.AmountEach, "amountEach", 1, AmountMax);
            if (request.To is not { Length: > 0 and <= PayeesMax } to || to.Distinct().Count() < to.Length)
                throw new BadHttpRequestException($"\"to\" must be 1 to {PayeesMax} accounts, each of them once.");
            foreach (var payee in to) await OtherAsync(call, "to", payee, account);
            await Grain(call, account).MultiTransfer(to, request.AmountEach);
            return request;
        });
    }

    // As many calls as it takes; each has a key, so that the runtime makes it again if its silo goes.
    private static async Task<BankAnswer> OpenAsync(ApiCall call)
    {
        var request = await call.ReadAsync<BankRequest>();
        var terms = new BankTerms(
            ApiCall.Bounded(request.Accounts, "accounts", 1, AccountsMax),
            ApiCall.Bounded(request.Checking, "checking", 0, AmountMax),
            ApiCall.Bounded(request.Savings, "savings", 0, AmountMax));
        while (true)
        {
            call.Aborted.ThrowIfCancellationRequested();
            using var key = IdempotencyKey.Use(Guid.NewGuid().ToString("n"));
            var bank = await Bank(call).OpenNext(terms);
            if (bank.IsOpen) return Answer(bank);
        }
    }

    private static async Task<BankInfo> ReadAsync(ApiCall call) =>
        await Bank(call).Read() ?? throw NotOpen("There is no bank yet");

    private async Task<BankTerms> TermsAsync(ApiCall call)
    {
        if (_open is { } open) return open;
        var bank = await ReadAsync(call);
        return bank.IsOpen
            ? _open = bank.Terms
            : throw NotOpen($"{bank.Opened} of {bank.Terms.Accounts} accounts are open");
    }

    private async Task<long> AccountAsync(ApiCall call) =>
        call.Number("account", 1L, (await TermsAsync(call)).Accounts);

    private async Task<long> OtherAsync(ApiCall call, string name, long other, long account) =>
        ApiCall.Bounded(other, name, 1, (await TermsAsync(call)).Accounts) != account
            ? other
            : throw new BadHttpRequestException($"\"{name}\" must be another account than {account}.");

    private static async Task<long> AmountAsync(ApiCall call, long least) =>
        ApiCall.Bounded((await call.ReadAsync<AmountRequest>()).Amount, "amount", least, AmountMax);

    private static BadHttpRequestException NotOpen(string why) =>
        new(
            $"{why}: PUT /bank with \"accounts\", and with \"checking\" and \"savings\" in cents.",
            StatusCodes.Status404NotFound);

    private static IBankGrain Bank(ApiCall call) => call.Grains.GetGrain<IBankGrain>(0);

    private static IAccountGrain Grain(ApiCall call, long account) => call.Grains.GetGrain<IAccountGrain>(account);

    private static BankAnswer Answer(BankInfo bank) =>
        new(bank.Terms.Accounts, bank.Terms.Checking, bank.Terms.Savings, bank.Opened);

    private sealed record BankRequest(int Accounts, long Checking, long Savings);

    private sealed record BankAnswer(int Accounts, long Checking, long Savings, int Opened);

    private sealed record TotalAnswer(int Accounts, long Total);

    private sealed record BalanceAnswer(long Account, long Balance);

    private sealed record AmountRequest(long Amount);

    private sealed record AmountAnswer(long Account, long Amount);

    private sealed record CheckAnswer(long Account, long Taken);

    private sealed record AmalgamationRequest(long Into);

    private sealed record PaymentRequest(long To, long Amount);

    private sealed record TransferRequest(long[]? To, long AmountEach);
}
