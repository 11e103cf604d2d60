using Orleans;
using Orleans.Runtime;
using Polyjuice.Benchmarking.Load;
using Smallbank.Grains;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>One caller: Smallbank's transactions in H-Store's mix, or transfers from one account to four others.</summary>
internal sealed class BankClient(IGrainFactory grains, BenchmarkCase parameters, Arm arm, ZipfianGenerator accounts, BenchmarkRandom random)
{
    private readonly bool _isPlain = arm.IsPlain;

    /// <summary>Operations that committed.</summary>
    public long Committed { get; private set; }

    /// <summary>Operations that the caller saw fail.</summary>
    public long Failed { get; private set; }

    /// <summary>Microseconds that committed operations took.</summary>
    public List<double> Latencies { get; } = [];

    public bool IsMeasuring { get; set; }

    public async Task RunAsync(CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            var start = TimeProvider.System.GetTimestamp();
            try
            {
                await RunOneAsync();
                if (!IsMeasuring) continue;
                Committed++;
                Latencies.Add(TimeProvider.System.GetElapsedTime(start).TotalMicroseconds);
            }
            catch (Exception exception) when (exception is OrleansException or InsufficientFundsException or TimeoutException)
            {
                if (IsMeasuring) Failed++;
            }
        }
    }

    private Task RunOneAsync()
    {
        if (parameters.Workload == "multitransfer")
        {
            var chosen = new long[5];
            accounts.NextDistinct(random, chosen);
            return _isPlain ? Plain(chosen[0]).MultiTransfer(chosen[1..], 100) : Account(chosen[0]).MultiTransfer(chosen[1..], 100);
        }

        Span<long> two = stackalloc long[2];
        accounts.NextDistinct(random, two);
        var (from, to) = (two[0], two[1]);
        var choice = random.Next(100);
        if (_isPlain)
        {
            var plain = Plain(from);
            return choice switch
            {
                < 15 => plain.Amalgamate(to),
                < 30 => plain.Balance(),
                < 45 => plain.DepositChecking(130),
                < 70 => plain.SendPayment(to, 500),
                < 85 => plain.TransactSavings(2_020),
                _ => plain.WriteCheck(500),
            };
        }

        var account = Account(from);
        return choice switch
        {
            < 15 => account.Amalgamate(to),
            < 30 => account.Balance(),
            < 45 => account.DepositChecking(130),
            < 70 => account.SendPayment(to, 500),
            < 85 => account.TransactSavings(2_020),
            _ => account.WriteCheck(500),
        };
    }

    private IAccountGrain Account(long key) => grains.GetGrain<IAccountGrain>(key);

    private IPlainAccountGrain Plain(long key) => grains.GetGrain<IPlainAccountGrain>(key);
}
