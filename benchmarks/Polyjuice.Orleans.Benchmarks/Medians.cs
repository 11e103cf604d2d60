namespace Polyjuice.Orleans.Benchmarks;

/// <summary>The middle of measured values.</summary>
internal static class Medians
{
    /// <summary>The median; of an even number of values, the mean of the two in the middle.</summary>
    /// <param name="values">At least one. Sorted in place.</param>
    public static double Of(double[] values)
    {
        Array.Sort(values);
        var middle = values.Length / 2;
        return values.Length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }
}
