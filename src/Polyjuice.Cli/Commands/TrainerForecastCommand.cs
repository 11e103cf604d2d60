using System.CommandLine;
using System.Globalization;
using Polyjuice.Cli.Training.Trainer;
using Polyjuice.Policies;
using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Service.Retraining;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice trainer forecast</c></summary>
internal static class TrainerForecastCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var history = new Option<string?>("--history")
        {
            Description =
                "Judges the forecast by this file: a line for each window, its start and its conflict rate, such as "
                + "2026-03-01T07:00:00Z,0.25.",
            HelpName = "file"
        };
        var synthetic = new Option<bool>("--synthetic")
        {
            Description =
                "Judges it by 28 weeks of made-up hours with daily and weekly seasons, noise and three shifts of 40%."
        };
        var seeds = Text("--seeds", "5", "With --synthetic: how many series.");
        var window = Text("--window", "1h", "With --history: the windows' length.");
        var threshold = Text(
            "--threshold", "0.15",
            "How far the forecast peak must be from the one that the table was trained for, as a share of it.");
        var command = new Command(
            "forecast",
            "Says how well peaks of conflict rates are forecast and when tables would be trained, beside the Polyjuice "
            + "paper's way: tomorrow's peak is today's.")
        {
            history, synthetic, seeds, window, threshold
        };
        command.SetAction(parsed =>
        {
            var output = parsed.InvocationConfiguration.Output;
            if (parsed.GetValue(synthetic) == (parsed.GetValue(history) is not null))
                throw new CommandInputException($"Name either {synthetic.Name} or a file with {history.Name}.");
            var share = parsed.Number(threshold, 0.01, 10);
            if (parsed.GetValue(history) is { } file)
            {
                var grid = TrainerRunOptions.GridOf(parsed.GetValue(window)!, window.Name);
                Judge(RateHistory.Read(file, grid), grid, share, output);
            }
            else
            {
                Judge(parsed.Whole(seeds, 1, 10_000), share, output);
            }

            return ExitCodes.Done;
        });
        return command;
    }

    private static void Judge(IReadOnlyList<ObservedRate> rates, WindowGrid grid, double threshold, TextWriter output)
    {
        var trial = ForecastTrial.Run(
            rates, grid,
            new RetrainingOptions
            {
                Threshold = threshold, ConfirmingWindows = grid.PerDay, FirstAfterWindows = grid.PerDay
            });
        output.WriteLine(Line($"{rates.Count:n0} windows, {trial.Days:n0} days judged"));
        output.WriteLine(
            Line(
                $"error of the next day's peak: {trial.Forecast.Mape:0.0%}, root mean square {trial.Forecast.Rmse:0.0000}; tomorrow = today: {trial.Tomorrow.Mape:0.0%}, {trial.Tomorrow.Rmse:0.0000}"));
        output.WriteLine(
            Line($"tables trained: {trial.Retrainings.Count}; tomorrow = today: {trial.TomorrowRetrainings}"));
        foreach (var after in trial.Retrainings)
            output.WriteLine(Line($"  after {grid.DateOf(rates[after - 1].Window):yyyy-MM-dd'T'HH:mm'Z'}"));
    }

    private static void Judge(int seeds, double threshold, TextWriter output)
    {
        var grid = new WindowGrid(TimeSpan.FromHours(1));
        var table = new TextTable([
            "seed", "error", "tomorrow = today", "RMSE", "tomorrow = today", "windows after shifts", "trained besides",
            "trained if tomorrow = today"
        ]);
        var (beaten, inTime, rarely) = (0, 0, 0);
        for (var seed = 1; seed <= seeds; seed++)
        {
            var rates = SyntheticRates.Of((ulong)seed);
            var trial = ForecastTrial.Run(
                [.. rates.Rates.Select((rate, hour) => new ObservedRate(hour, rate))],
                grid,
                new RetrainingOptions { Threshold = threshold });
            var delays = trial.DelaysAfter(rates.Shifts);
            var besides = trial.Retrainings.Count - delays.Count(delay => delay is not null);
            if (trial.Forecast.Mape < trial.Tomorrow.Mape && trial.Forecast.Rmse < trial.Tomorrow.Rmse) beaten++;
            if (delays.All(delay => delay is 1 or 2)) inTime++;
            if (besides <= 3) rarely++;
            table.Row([
                Line($"{seed}"), Line($"{trial.Forecast.Mape:0.0%}"), Line($"{trial.Tomorrow.Mape:0.0%}"),
                Line($"{trial.Forecast.Rmse:0.0000}"), Line($"{trial.Tomorrow.Rmse:0.0000}"),
                string.Join(' ', delays.Select(delay => delay is { } windows ? Line($"{windows}") : "never")),
                Line($"{besides}"), Line($"{trial.TomorrowRetrainings}"),
            ]);
        }

        output.Write(table.ToString());
        output.WriteLine(
            Line(
                $"of {seeds} series: a smaller error in {beaten}, trained within two windows of each shift in {inTime}, at most three times besides in {rarely}"));
    }

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
