using System.CommandLine;
using Polyjuice.Lab.Tool.Cold;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab bench cold</c></summary>
internal static class BenchColdCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var together = Text("--together", "1000", "Grains of the transaction that calls all of them at once.");
        var sequence = Text("--sequence", "100", "Grains of the transaction that calls one after the other.");
        var delays = Text(
            "--storage-ms", "0,5",
            "Milliseconds that each load and store of the storage provider takes at least, separated by commas.");
        var rounds = Text("--repeat", "5", "Rounds; the median of them is reported, after one that does not count.");
        var command = new Command(
            "cold",
            "Measures a transaction over grains that are not active and keep their states with a storage provider, "
            + "beside Orleans' own transactions on the same provider: one silo each, in turns.")
        {
            together, sequence, delays, rounds,
        };
        command.SetAction((parsed, cancellationToken) =>
        {
            var plan = new ColdPlan(
                parsed.Whole(together, 1, 100_000), parsed.Whole(sequence, 1, 100_000),
                [
                    .. CommandInput.Parts(parsed.GetValue(delays)!, delays.Name)
                    .Select(text => TimeSpan.FromMilliseconds(CommandInput.Number(text, delays.Name, 0, 1_000)))
                ],
                parsed.Whole(rounds, 1, 1_000));
            return EndedEarly.ReadingAsync(
                async token => await new ColdBenchmark(plan, parsed.InvocationConfiguration.Output).RunAsync(token)
                    ? ExitCodes.Done
                    : ExitCodes.No,
                parsed.InvocationConfiguration.Error, cancellationToken);
        });
        return command;
    }
}
