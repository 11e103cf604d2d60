using System.CommandLine;
using System.ComponentModel.DataAnnotations;
using Polyjuice.Cli.Logs;
using Polyjuice.Publishing;
using Polyjuice.Storage.AzureBlobs;
using Polyjuice.Storage.PostgreSql;
using Polyjuice.Storage.Redis;

namespace Polyjuice.Cli.Policies;

/// <summary>Where policies are published, and who publishes, as several commands are told.</summary>
internal static class PolicyLocation
{
    private const string StoreName = "--store";

    /// <summary>Where.</summary>
    public static Option<string> Store() => new(StoreName)
    {
        Description =
            "The folder that policies are published in, or the address of a container of Azure Storage with the prefix "
                + "behind it (https://ACCOUNT.blob.core.windows.net/CONTAINER/policies). Who asks for a container is "
                + $"taken from a shared access signature in the address, or from {AzureLocation.Token}, "
                + $"{AzureLocation.Signature} or {AzureLocation.ConnectionString}. Or the address of a PostgreSQL "
                + $"database ({PostgreSqlLocation.Form}, with the prefix behind it if there is "
                + "one), whose user and password are taken from PGUSER, PGPASSWORD and PGPASSFILE. "
                + $"Or that of a Redis server ({RedisLocation.Form}), whose password is taken from "
                + $"{RedisLocation.Password}.",
        HelpName = "folder|address",
        Required = true,
    };

    /// <summary>What to sign with.</summary>
    public static Option<string?> Key() =>
        new("--key")
        {
            Description =
                "The private key to sign with, as 'polyjuice policy keygen' writes it. Default: nothing is signed.",
            HelpName = "file"
        };

    /// <summary>Who.</summary>
    public static Option<string> By() =>
        new("--by")
        {
            Description = "Who publishes, for people.",
            HelpName = "name",
            DefaultValueFactory = _ => $"{Environment.UserName}@{Environment.MachineName}"
        };

    /// <summary>After what.</summary>
    public static Option<int?> Expect() =>
        new("--expect")
        {
            Description =
                "The number of the last entry that you know of: if there is another by now, nothing is published "
                + "(exit code 1).",
            HelpName = "number"
        };

    /// <summary>Goes there.</summary>
    /// <exception cref="ArgumentException">It is neither a folder nor an address, or nothing says who asks.</exception>
    public static IPolicyEntries Open(string store)
    {
        if (string.IsNullOrWhiteSpace(store))
            throw new ArgumentException(
                $"{StoreName} is empty; name a folder, or the address of a container or of a database.");
        if (PostgreSqlLocation.IsOne(store))
        {
            // As long as the tool runs, which is not long.
            var database = PostgreSqlLocation.Parse(store, StoreName);
            return new PostgreSqlPolicyEntries(
                PostgreSqlDataSources.Create(database), database.Schema, database.KeyPrefix);
        }

        try
        {
            if (RedisLocation.IsOne(store))
            {
                var server = RedisLocation.Parse(store, Environment.GetEnvironmentVariable, StoreName);
                return new RedisPolicyEntries(RedisClients.Connect(server), server.KeyPrefix);
            }

            if (!AzureLocation.IsOne(store)) return new FilePolicyEntries(store);
            var options = AzureLocation.Parse(store, Environment.GetEnvironmentVariable, StoreName);
            return new AzureBlobPolicyEntries(BlobClients.Container(options), AzureLocation.FolderOf(options));
        }
        catch (ValidationException exception)
        {
            throw new ArgumentException($"{StoreName}: {exception.Message}");
        }
    }

    /// <summary>A key from its file.</summary>
    /// <exception cref="ArgumentException">It is none; the message names the file.</exception>
    public static T Read<T>(string file, Func<string, T> parse)
    {
        try
        {
            return parse(File.ReadAllText(file));
        }
        catch (ArgumentException exception)
        {
            throw new ArgumentException($"{file}: {exception.Message}");
        }
    }

    /// <summary>Runs what publishes: whoever was not first is told, and answers no.</summary>
    public static async Task<int> RunAsync(
        Func<CancellationToken, Task> publish, TextWriter error, CancellationToken cancellationToken)
    {
        try
        {
            await publish(cancellationToken);
            return ExitCodes.Done;
        }
        catch (PolicyConflictException exception)
        {
            await error.WriteLineAsync(exception.Message);
            return ExitCodes.No;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await error.WriteLineAsync(
                "Cancelled: whether anything was published is not known; 'polyjuice policy status' says.");
            return ExitCodes.Cancelled;
        }
    }
}
