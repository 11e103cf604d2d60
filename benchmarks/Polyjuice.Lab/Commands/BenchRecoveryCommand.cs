using System.CommandLine;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tool.Recovery;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab bench recovery</c></summary>
internal static class BenchRecoveryCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var records = Text("--records", "1000000", "Records of the log: a prepare and a commit per transaction.");
        var accounts = Text("--accounts", "10000", "Smallbank's customers, with two states each.");
        var clients = Text("--clients", "512", "Clients that fill the log.");
        var seed = Text("--seed", "1", "Of all random choices.");
        var most = Text("--most-seconds", "10", "A recovery that takes longer makes the exit code 1.");
        var data = new Option<string>("--data")
        {
            Description = "The folder in which the log is made, in one of its own that is deleted afterwards.",
            HelpName = "folder",
            DefaultValueFactory = _ => Path.GetTempPath()
        };
        var command = new Command(
            "recovery",
            "Measures how long a partition is away when its silo starts or has died: a log on files is made by "
            + "transactions, and recovered from its beginning and from a checkpoint.")
        {
            records, accounts, clients, seed, most, data,
        };
        command.SetAction((parsed, cancellationToken) =>
        {
            var folder = Path.Combine(parsed.GetValue(data)!, $"recovery-{Environment.ProcessId}");
            var plan = new RecoveryPlan(
                parsed.Whole(records, 100, 1_000_000_000), parsed.Whole(accounts, 8, 10_000_000),
                parsed.Whole(clients, 1, 100_000), folder, (ulong)parsed.Whole(seed, 0, int.MaxValue),
                TimeSpan.FromSeconds(parsed.Number(most, 0.001, 86_400)));
            return EndedEarly.ReadingAsync(
                token => RunAsync(plan, parsed.InvocationConfiguration.Output, token),
                parsed.InvocationConfiguration.Error,
                cancellationToken);
        });
        return command;
    }

    private static async Task<int> RunAsync(RecoveryPlan plan, TextWriter output, CancellationToken cancellationToken)
    {
        try
        {
            return await new RecoveryBenchmark(plan, output).RunAsync(cancellationToken)
                ? ExitCodes.Done
                : ExitCodes.No;
        }
        finally
        {
            if (Directory.Exists(plan.Folder)) Directory.Delete(plan.Folder, recursive: true);
        }
    }
}
