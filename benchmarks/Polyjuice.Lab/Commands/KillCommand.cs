using System.CommandLine;
using System.Globalization;
using Polyjuice.Lab.Tool.Processes;
using Polyjuice.Tests.Shared;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab kill</c></summary>
internal static class KillCommand
{
    /// <summary>What it is called.</summary>
    public const string Name = "kill";

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var engine = Text(
            "--engine", "polyjuice",
            "Who runs transactions: polyjuice, or orleans for Orleans' own over its Azure Table storage.");
        var kills = Text("--kills", "100", "How often a process is killed (kill -9).");
        var absence = Text("--absence", "6", "For how many seconds at the most it is gone.");
        var stops = Text("--stops", "4", "How often a process stands still (SIGSTOP, later SIGCONT).");
        var pause = Text("--pause", "30", "For how many seconds.");
        var skew = Text(
            "--skew", "0",
            "Milliseconds between the clocks of the first and the second silo. Then executions must be serializable; "
            + "the order of real time holds up to the skew.");
        var logs = Text("--logs", "blobs", "blobs: Azurite's, shared by all silos; files: one silo.");
        var silos = Text("--silos", "3", "Silos. With logs in files one.");
        var turns = new Option<bool>("--turns") { Description = "Every third grain takes one call at a time." };
        var cells = Text("--cells", "12", "How many grains there are to choose from.");
        var theta = Text("--theta", "0.8", "Skew of the choice.");
        var clients = Text("--clients", "16", "Clients of the closed loop.");
        var response = Text("--response-timeout", "5", "Seconds that a client waits for an answer.");
        var commits = Text(
            "--commits-between", "30", "So many transactions commit at least from one fault to the next.");
        var seed = Text("--seed", "1", "Of the clients' choices, the tables and the faults.");
        var evidence = Text(
            "--evidence",
            Path.Combine(AppContext.BaseDirectory, "evidence"),
            "Where what silos and clients have said is kept.");
        var command = new Command(
            Name,
            "Runs silos as processes over Azurite, kills and stops them under load, and checks that everything "
            + "acknowledged is there, that nothing is half done, and that what transactions saw has a serial order.")
        {
            engine, kills, absence, stops, pause, skew, logs, silos, turns, cells, theta, clients, response, commits,
            seed, evidence,
        };
        command.SetAction((parsed, cancellationToken) =>
        {
            var keepsFiles = parsed.GetValue(logs) switch
            {
                "blobs" => false,
                "files" => true,
                _ => throw new CommandInputException(
                    $"{logs.Name}: there are no logs in \"{parsed.GetValue(logs)}\". Valid: blobs, files."),
            };
            var run = new ProcessCase
            {
                Engine = EngineOf(parsed.GetValue(engine)!, engine.Name),
                Seed = parsed.Whole(seed, 0, int.MaxValue / 64),
                Silos = keepsFiles ? 1 : parsed.Whole(silos, 1, 16),
                Kills = parsed.Whole(kills, 0, 1_000_000),
                AbsenceMax = TimeSpan.FromSeconds(parsed.Number(absence, 0, 600)),
                Stops = parsed.Whole(stops, 0, 10_000),
                Pause = TimeSpan.FromSeconds(parsed.Number(pause, 0.1, 600)),
                Skew = TimeSpan.FromMilliseconds(parsed.Number(skew, 0, 60_000)),
                KeepsFiles = keepsFiles,
                HasTurns = parsed.GetValue(turns),
                Cells = parsed.Whole(cells, 12, 100_000),
                Theta = parsed.Number(theta, 0, 10),
                Clients = parsed.Whole(clients, 1, 1_000),
                ResponseTimeout = TimeSpan.FromSeconds(parsed.Number(response, 0.1, 600)),
                CommitsBetween = parsed.Whole(commits, 1, 1_000_000),
                EvidenceFolder = parsed.GetValue(evidence)!,
            };
            return RunAsync(run, parsed.InvocationConfiguration.Output, cancellationToken);
        });
        return command;
    }

    /// <summary>The engine of that name.</summary>
    public static ProcessEngine EngineOf(string name, string option) =>
        Enum.TryParse<ProcessEngine>(name, ignoreCase: true, out var engine) && Enum.IsDefined(engine)
            && !char.IsDigit(name[0])
            ? engine
            : throw new CommandInputException(
                $"{option}: there is no engine \"{name}\". Valid: "
                + $"{string.Join(", ", Enum.GetNames<ProcessEngine>().Select(known => known.ToLowerInvariant()))}.");

    private static async Task<int> RunAsync(ProcessCase run, TextWriter output, CancellationToken cancellationToken)
    {
        if (AzuriteInstallation.Missing is { } missing) throw new CommandInputException(missing);
        await using var processes = await ProcessRun.CreateAsync(run);
        try
        {
            var result = await processes.RunAsync(output.WriteLine, cancellationToken);
            await output.WriteLineAsync(result.ToString());
            if (result.Complaints.Count == 0)
            {
                await output.WriteLineAsync("everything acknowledged is there, nothing is half done");
                return ExitCodes.Done;
            }

            await output.WriteLineAsync(
                $"FAILED:{Environment.NewLine}{string.Join(Environment.NewLine, result.Complaints)}");
        }
        catch (Exception exception) when (exception is InvalidOperationException or TimeoutException)
        {
            await output.WriteLineAsync($"FAILED: {exception}");
        }

        await output.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"What silos and clients have said is in {processes.Folder}. Once more (the same choices and faults; what "
            + $"meets when, real time decides):{Environment.NewLine}  {LabCommandLine.Name} {Name} --engine "
            + $"{run.Engine.ToString().ToLowerInvariant()} --kills {run.Kills} --absence {run.AbsenceMax.TotalSeconds} "
            + $"--stops {run.Stops} --pause {run.Pause.TotalSeconds} --skew {run.Skew.TotalMilliseconds} --logs "
            + $"{(run.KeepsFiles ? "files" : "blobs")} --silos {run.Silos}{(run.HasTurns ? " --turns" : "")} --cells "
            + $"{run.Cells} --theta {run.Theta} --clients {run.Clients} --response-timeout "
            + $"{run.ResponseTimeout.TotalSeconds} --commits-between {run.CommitsBetween} --seed {run.Seed}"));
        return ExitCodes.No;
    }
}
