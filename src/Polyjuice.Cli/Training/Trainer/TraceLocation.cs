using System.ComponentModel.DataAnnotations;
using Polyjuice.Cli.Logs;
using Polyjuice.Storage.AzureBlobs;
using Polyjuice.Storage.PostgreSql;
using Polyjuice.Storage.Redis;
using Polyjuice.Tracing;

namespace Polyjuice.Cli.Training.Trainer;

/// <summary>
/// Where silos write traces: a folder, or a container of Azure Storage, a PostgreSQL database or a Redis server by its
/// address.
/// </summary>
internal static class TraceLocation
{
    /// <summary>What reads at an address; <see langword="null"/> if it is none, but a file or a folder.</summary>
    /// <param name="location">As it was typed.</param>
    /// <param name="option">The option's name, for messages.</param>
    /// <exception cref="ArgumentException">It is an address of nothing, or nothing says who asks.</exception>
    /// <exception cref="IOException">A server can't be reached.</exception>
    public static ITraceSource? AddressOrNone(string location, string option)
    {
        try
        {
            return Find(location, option);
        }
        catch (ValidationException exception)
        {
            throw new ArgumentException($"{option}: {exception.Message}");
        }
    }

    /// <summary>What reads there.</summary>
    /// <param name="location">As it was typed.</param>
    /// <param name="option">The option's name, for messages.</param>
    /// <exception cref="ArgumentException">It is an address of nothing, or nothing says who asks.</exception>
    /// <exception cref="IOException">A server can't be reached.</exception>
    public static ITraceSource Parse(string location, string option) =>
        string.IsNullOrWhiteSpace(location)
            ? throw new ArgumentException(
                $"{option} is empty; name a folder, or the address of a container or of a database.")
            : AddressOrNone(location, option) ?? new FileTraceSource(location);

    // As long as the tool runs: nothing of it is disposed.
    private static ITraceSource? Find(string location, string option)
    {
        if (PostgreSqlLocation.IsOne(location))
        {
            var database = PostgreSqlLocation.Parse(location, option);
            return new PostgreSqlTraceSink(
                PostgreSqlDataSources.Create(database), database.Schema, database.KeyPrefix).Source;
        }

        if (RedisLocation.IsOne(location))
        {
            var server = RedisLocation.Parse(location, Environment.GetEnvironmentVariable, option);
            return new RedisTraceSink(RedisClients.Connect(server), server.KeyPrefix).Source;
        }

        if (!AzureLocation.IsOne(location)) return null;
        var container = AzureLocation.Parse(location, Environment.GetEnvironmentVariable, option);
        return new AzureBlobTraceSource(BlobClients.Container(container), AzureLocation.FolderOf(container));
    }
}
