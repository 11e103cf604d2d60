using System.CommandLine;
using Polyjuice.Cli.Logs;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice log …</c></summary>
internal static class LogCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() => new("log", "Looks at the logs in a folder or in a container of Azure Storage, and checks them. Changes nothing, and may run while they are in use.")
    {
        LogVerifyCommand.Create(),
        LogDumpCommand.Create(),
    };

    /// <summary>Where.</summary>
    public static Option<string> Data() => new("--data")
    {
        Description = "The folder that the logs are in, or the address of a container (https://ACCOUNT.blob.core.windows.net/CONTAINER, with the prefix behind it if there is one). Who asks for a container is taken from "
            + $"a shared access signature in the address, or from {AzureLocation.Token}, {AzureLocation.Signature} or {AzureLocation.ConnectionString}.",
        HelpName = "folder|address",
        DefaultValueFactory = _ => "data",
    };

    /// <summary>One partition, or all.</summary>
    public static Option<int?> Partition() => new("--partition", "-p") { Description = "One partition's log. Default: all.", HelpName = "number" };

    /// <summary>Runs a command that reads for long: Ctrl+C ends it, and it says that it did not get to the end.</summary>
    public static async Task<int> RunAsync(Func<CancellationToken, Task<int>> command, TextWriter error, CancellationToken cancellationToken)
    {
        try
        {
            // Off this thread: Ctrl+C is heard while the action has returned its task, and files are read without waiting.
            return await Task.Run(() => command(cancellationToken), CancellationToken.None);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await error.WriteLineAsync("Cancelled: it did not get to the end, and what it has not said yet is not known.");
            return ExitCodes.Cancelled;
        }
    }

    /// <summary>The partitions that were asked for.</summary>
    /// <exception cref="ArgumentException">There is no such partition.</exception>
    public static IEnumerable<int> Partitions(int? partition, int count) => partition switch
    {
        null => Enumerable.Range(0, count),
        { } one when one >= 0 && one < count => [one],
        { } one => throw new ArgumentException($"--partition: there is no partition {one}; these logs have 0 to {count - 1}."),
    };
}
