using Orleans;
using Smallbank.Grains;

namespace Smallbank.Plain;

/// <summary>
/// The plain twin of <see cref="IAccountGrain"/>: the same methods, calls and messages on plain fields, with no
/// transactions. It loses and makes up money when something fails halfway; it is here to price the transactions.
/// </summary>
public interface IPlainAccountGrain : IGrainWithIntegerKey
{
    Task Open(long checking, long savings);

    Task<long> Balance();

    Task DepositChecking(long amount);

    Task TransactSavings(long amount);

    Task Amalgamate(long into);

    Task<long> WriteCheck(long amount);

    Task<bool> SendPayment(long to, long amount);

    Task MultiTransfer(long[] to, long amountEach);
}
