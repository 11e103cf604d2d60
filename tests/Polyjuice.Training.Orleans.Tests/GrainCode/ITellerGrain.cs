using Orleans;

namespace Polyjuice.Training.Orleans.Tests.GrainCode;

/// <summary>Moves money from purse to purse.</summary>
public interface ITellerGrain : IGrainWithIntegerKey
{
    /// <summary>
    /// First the house's fee and last its turnover, which all payments update, and between them two of many purses. A
    /// table that hands on the fee at once, waits for the payment before it at the turnover, and for nobody at the
    /// purses makes several times what the built-in ones make, to which one purse is like another.
    /// </summary>
    [Transaction(TransactionOption.Create)]
    Task Pay(IPurseGrain fee, IPurseGrain from, IPurseGrain to, IPurseGrain turnover);

    /// <summary>Without the house.</summary>
    [Transaction(TransactionOption.Create)]
    Task Move(IPurseGrain from, IPurseGrain to);
}
