namespace Tpcc.Grains;

/// <summary>Whole cents, and rates in hundredths of a percent.</summary>
public static class Money
{
    private const long One = 10_000;

    /// <summary>
    /// What an order comes to: amount × (1 − discount) × (1 + taxes), rounded to the nearest cent (clause 2.4.2.2).
    /// </summary>
    public static long Total(long amountCents, int discountBasisPoints, int taxBasisPoints) =>
        ((amountCents * (One - discountBasisPoints) * (One + taxBasisPoints)) + (One * One / 2)) / (One * One);
}
