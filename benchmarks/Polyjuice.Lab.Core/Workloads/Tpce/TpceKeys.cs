namespace Polyjuice.Lab.Workloads.Tpce;

/// <summary>Who belongs to whom, and other things that follow from keys.</summary>
internal static class TpceKeys
{
    /// <summary>Of all securities at first, in cents.</summary>
    public const long FirstPrice = 25_00;

    /// <summary>Accounts of a customer, as in the standard on average.</summary>
    public const int AccountsOfCustomer = 5;

    /// <summary>Accounts of a broker.</summary>
    public const int AccountsOfBroker = 100;

    public static long CustomerOf(long account) => account / AccountsOfCustomer;

    public static long BrokerOf(long account) => account / AccountsOfBroker;
}
