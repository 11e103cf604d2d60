using Polyjuice.Cli.Logs;
using Polyjuice.Storage.AzureBlobs;
using Polyjuice.Tracing;

namespace Polyjuice.Cli.Training.Trainer;

/// <summary>Where silos write traces: a folder, or a container of Azure Storage by its address.</summary>
internal static class TraceLocation
{
    /// <summary>What reads at an address; <see langword="null"/> if it is none, but a file or a folder.</summary>
    /// <param name="location">As it was typed.</param>
    /// <param name="option">The option's name, for messages.</param>
    /// <exception cref="ArgumentException">It is an address that is no container's, or nothing says who asks.</exception>
    public static ITraceSource? AddressOrNone(string location, string option) => AzureLocation.IsOne(location) ? Parse(location, option) : null;

    /// <summary>What reads there.</summary>
    /// <param name="location">As it was typed.</param>
    /// <param name="option">The option's name, for messages.</param>
    /// <exception cref="ArgumentException">It is an address that is no container's, or nothing says who asks.</exception>
    public static ITraceSource Parse(string location, string option)
    {
        if (string.IsNullOrWhiteSpace(location)) throw new ArgumentException($"{option} is empty; name a folder, or the address of a container.");
        if (!AzureLocation.IsOne(location)) return new FileTraceSource(location);
        var options = AzureLocation.Parse(location, Environment.GetEnvironmentVariable, option);
        return new AzureBlobTraceSource(BlobClients.Container(options), options.KeyPrefix.Length == 0 || options.KeyPrefix.EndsWith('/') ? options.KeyPrefix : options.KeyPrefix + "/");
    }
}
