using System.CommandLine;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Experiments.Trained;
using Polyjuice.Lab.Running;
using Polyjuice.Training.Service.Forecasting;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab experiment trainer</c></summary>
internal static class ExperimentTrainerCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var suitable = new TrainedShiftsSettings();
        var phase = Seconds("--phase-seconds", suitable.Phase, "How long each of the four phases lasts.");
        var react = Seconds("--react-seconds", suitable.React, "How long after a shift throughput counts.");
        var slice = Seconds("--slice-seconds", suitable.Slice,
            "How long the silos, and each table that they are compared with, are measured at a time, in turns.");
        var recorded = Seconds("--recorded-seconds", suitable.Recorded,
            "How much of each phase is recorded for the table that is trained for it.");
        var offline = Seconds("--offline-seconds", suitable.OfflineBudget, "How long that is searched for.");
        var window = Seconds("--window-seconds", suitable.Window,
            "The windows of the trainer in the silos: at least 10, and a whole part of a day.");
        var budget = Seconds("--budget-seconds", suitable.Budget, "How long the trainer in the silos searches.");
        var replay = Text("--replay-transactions",
            suitable.ReplayTransactions.ToString(System.Globalization.CultureInfo.InvariantCulture),
            "Transactions that one of its replays measures; one of the searches for a phase, twice as many.");
        var customers = Text("--customers",
            suitable.Customers.ToString(System.Globalization.CultureInfo.InvariantCulture),
            "Customers to choose from.");
        var options = new ExperimentOptions();
        var command = new Command(
            "trainer",
            "Silos train tables themselves while the workload shifts its mix, its skew and its hot keys, beside the "
            + "table that they began with (--policy, occ) and tables trained for each phase. Takes half an hour. "
            + "Exit code 1 if a claim does not hold; with --brief none is judged.")
        {
            phase, react, slice, recorded, offline, window, budget, replay, customers,
        };
        options.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var scale = options.ScaleOf(parsed);
            if (scale.Chosen.Count > 1) throw new CommandInputException("--policy: one table, which silos begin with.");
            var settings = suitable with
            {
                Phase = Value(phase),
                React = Value(react),
                Slice = Value(slice, 0.1),
                Recorded = Value(recorded),
                OfflineBudget = Value(offline),
                Window = Value(window),
                Budget = Value(budget),
                ReplayTransactions = parsed.Whole(replay, 20, 1_000_000),
                Customers = parsed.Whole(customers, 64, 10_000_000),
                Start = scale.Chosen.Count == 1 ? scale.Chosen[0] : suitable.Start,
            };
            if (settings.Window < WindowGrid.LengthMin || TimeSpan.TicksPerDay % settings.Window.Ticks != 0)
                throw new CommandInputException(
                    $"{window.Name} is at least 10, and a whole part of a day: 10, 15, 20.");
            if (settings.React >= settings.Phase)
                throw new CommandInputException($"{react.Name} must be less than {phase.Name}: else nothing counts.");
            var (files, output) = (options.FilesOf(parsed), parsed.InvocationConfiguration.Output);
            var experiment = new TrainedShiftsExperiment(
                settings, PolyjuiceBenchmarkCluster.StartTraceableAsync, output.WriteLine);
            await files.PrepareAsync();
            var result = await ExperimentSession.RunAsync(experiment, scale, output.WriteLine, cancellationToken);
            foreach (var finding in result.Findings) await output.WriteLineAsync(finding.ToString());
            if (result.Failure is { } failure)
                await output.WriteLineAsync($"{experiment.Name} was broken off: {failure}");
            await files.WriteAsync(result, output);
            var holds = result.Findings.All(finding => finding.Holds != false);
            return result.IsComplete && holds ? ExitCodes.Done : ExitCodes.No;

            TimeSpan Value(Option<string> option, double atLeast = 1) =>
                TimeSpan.FromSeconds(CommandInput.Number(parsed.GetValue(option)!, option.Name, atLeast, 86_400));
        });
        return command;

        static Option<string> Seconds(string name, TimeSpan value, string description) =>
            Text(name, value.TotalSeconds.ToString(System.Globalization.CultureInfo.InvariantCulture), description);
    }
}
