using System.Globalization;
using BankAccount.Grains;
using Orleans;
using Orleans.Runtime;
using Orleans.Transactions;

namespace BankAccount;

/// <summary>
/// Customers who go to cash machines and send money from one random account to another, until somebody stops them.
/// </summary>
internal sealed class TransferLoop(IGrainFactory grains, CommandLine options, TextWriter output)
{
    /// <summary>What everybody begins with.</summary>
    public const decimal OpeningBalance = 1_000;

    private static readonly string[] _owners =
    [
        "Ada", "Bruno", "Chiara", "Dmitri", "Esi", "Farid", "Greta", "Hiro", "Ines", "Jonas"
    ];

    private readonly Lock _gate = new();
    private int _started;
    private int _committed;
    private int _declined;
    private int _failed;
    private int _inDoubt;

    /// <summary>All accounts.</summary>
    public static IReadOnlyList<string> Owners => _owners;

    /// <summary>Opens the accounts, moves money until it is told to stop, and counts it.</summary>
    /// <param name="stop">Ends the loop; transfers under way end first.</param>
    public async Task<LoopResult> RunAsync(CancellationToken stop)
    {
        await Task.WhenAll(_owners.Select(owner => Account(owner).Deposit(OpeningBalance)));
        output.WriteLine(
            $"{_owners.Length} accounts with {Money(OpeningBalance)} each, {options.Customers} customers. "
            + $"{(options.Transfers is { } n ? $"{n} transfers." : "Ctrl-C ends it.")}");
        await Task.WhenAll(Enumerable.Range(0, options.Customers).Select(customer => CustomerAsync(customer, stop)));

        var total = await grains.GetGrain<IAtmGrain>(0).Total([.. _owners.Select(Account)]);
        return new LoopResult(_committed, _declined, _failed, _inDoubt, total, OpeningBalance * _owners.Length);
    }

    private async Task CustomerAsync(int customer, CancellationToken stop)
    {
        var random = new Random(HashCode(options.Seed, customer));
        while (!stop.IsCancellationRequested
            && (options.Transfers is not { } most || Interlocked.Increment(ref _started) <= most))
        {
            var from = random.Next(_owners.Length);
            var to = (from + 1 + random.Next(_owners.Length - 1)) % _owners.Length;
            await TransferAsync(customer, _owners[from], _owners[to], 10 * random.Next(1, 61));
            if (options.Pause > TimeSpan.Zero)
                await Task.Delay(options.Pause, stop)
                    .ConfigureAwait(
                        ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
        }
    }

    private async Task TransferAsync(int atm, string from, string to, decimal amount)
    {
        try
        {
            await grains.GetGrain<IAtmGrain>(atm).Transfer(Account(from), Account(to), amount);
            Tell(ref _committed, from, to, amount, "done");
        }
        catch (OrleansTransactionAbortedException exception)
            when (exception.InnerException is InsufficientFundsException reason)
        {
            Tell(ref _declined, from, to, amount, $"declined: {reason.Message}");
        }
        catch (OrleansTransactionAbortedException exception)
        {
            Tell(ref _failed, from, to, amount, $"given up, and nothing has changed: {exception.Message}");
        }
        catch (Exception exception)
            when (exception is OrleansTransactionInDoubtException or TimeoutException or SiloUnavailableException)
        {
            Tell(ref _inDoubt, from, to, amount, $"nobody said how it ended: {exception.Message}");
        }
    }

    private void Tell(ref int count, string from, string to, decimal amount, string outcome)
    {
        lock (_gate)
        {
            count++;
            output.WriteLine($"{from,7} → {to,-7} {Money(amount),9}  {outcome}");
        }
    }

    private IAccountGrain Account(string owner) => grains.GetGrain<IAccountGrain>(owner);

    // Not System.HashCode, which differs from process to process.
    private static int HashCode(int seed, int customer) => unchecked((seed * 397) ^ (customer * 7_919));

    private static string Money(decimal amount) => amount.ToString("N2", CultureInfo.InvariantCulture);
}

/// <summary>What a loop has done.</summary>
/// <param name="Committed">Transfers that happened.</param>
/// <param name="Declined">Transfers that the account did not cover.</param>
/// <param name="Failed">Transfers that were given up.</param>
/// <param name="InDoubt">Transfers that may have happened or not.</param>
/// <param name="Total">The money in all accounts at the end.</param>
/// <param name="Expected">The money at the start.</param>
internal sealed record LoopResult(int Committed, int Declined, int Failed, int InDoubt, decimal Total, decimal Expected)
{
    /// <summary>A transfer moves money, and makes or loses none; so whatever was in doubt, this must hold.</summary>
    public bool IsMoneyConserved => Total == Expected;

    /// <inheritdoc/>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Committed} transfers done, {Declined} declined, {Failed} given up, {InDoubt} in doubt. All accounts "
        + $"together: {Total:N2}, "
        + $"{(IsMoneyConserved ? "as at the start" : $"AND NOT {Expected:N2} AS AT THE START")}.");
}
