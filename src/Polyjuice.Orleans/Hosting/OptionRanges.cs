using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Hosting;

/// <summary>Refuses options that are out of their bounds, by name.</summary>
internal static class OptionRanges
{
    /// <summary>Checks each option that has bounds.</summary>
    /// <param name="options">The options.</param>
    /// <exception cref="OrleansConfigurationException">One or more are out of their bounds.</exception>
    public static void Check(object options)
    {
        if (OptionText.Problems(options) is { Count: > 0 } problems)
            throw new OrleansConfigurationException(string.Join(" ", problems));
    }
}
