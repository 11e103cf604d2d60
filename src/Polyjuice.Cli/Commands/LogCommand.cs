using System.CommandLine;
using Polyjuice.Cli.Logs;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice log …</c></summary>
internal static class LogCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() => new(
        "log",
        "Looks at the logs in a folder, in a container of Azure Storage or in a database, and checks them. Changes "
        + "nothing, and may run while they are in use.")
    {
        LogVerifyCommand.Create(),
        LogDumpCommand.Create(),
    };

    /// <summary>Where.</summary>
    public static Option<string> Data() => new("--data")
    {
        Description =
            "The folder that the logs are in, or the address of a container "
                + "(https://ACCOUNT.blob.core.windows.net/CONTAINER, with the prefix behind it if there is one). Who "
                + "asks for a container is taken from a shared access signature in the address, or from "
                + $"{AzureLocation.Token}, {AzureLocation.Signature} or {AzureLocation.ConnectionString}. Or the "
                + $"address of a PostgreSQL database ({PostgreSqlLocation.Form}, with the prefix behind it if there is "
                + "one), whose user and password are taken from PGUSER, PGPASSWORD and PGPASSFILE. Or the address of "
                + $"a Redis server ({RedisLocation.Form}), whose password is taken from {RedisLocation.Password}.",
        HelpName = "folder|address",
        DefaultValueFactory = _ => "data",
    };

    /// <summary>One partition, or all.</summary>
    public static Option<int?> Partition() =>
        new("--partition", "-p") { Description = "One partition's log. Default: all.", HelpName = "number" };

    /// <summary>The partitions that were asked for.</summary>
    /// <exception cref="ArgumentException">There is no such partition.</exception>
    public static IEnumerable<int> Partitions(int? partition, int count) => partition switch
    {
        null => Enumerable.Range(0, count),
        { } one when one >= 0 && one < count => [one],
        { } one =>
            throw new ArgumentException($"--partition: there is no partition {one}; these logs have 0 to {count - 1}."),
    };
}
