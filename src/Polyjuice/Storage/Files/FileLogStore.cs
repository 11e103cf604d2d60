using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Logging;

namespace Polyjuice.Storage;

/// <summary>Logs in local files, for hosts that live in one process.</summary>
internal static class FileLogStore
{
    /// <summary>
    /// Opens the logs in a folder, or creates them there. See
    /// <see cref="SegmentedLogStore.OpenAsync"/> for what it throws.
    /// </summary>
    /// <param name="options">The folder, and how logs are kept there.</param>
    /// <param name="logger">Where it says what it found.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">The folder can't be made, read or written; the message says why.</exception>
    /// <exception cref="UnauthorizedAccessException">This process may not.</exception>
    public static Task<SegmentedLogStore> OpenAsync(
        FileLogOptions options, ILogger logger, CancellationToken cancellationToken)
    {
        Validator.ValidateObject(options, new ValidationContext(options), validateAllProperties: true);
        return SegmentedLogStore.OpenAsync(
            new FileLogDevice(options.Directory, options.Flush, roomBytes: options.PreallocateBytes), options, logger,
            cancellationToken);
    }
}
