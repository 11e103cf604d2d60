using System.CommandLine;
using Polyjuice.Training.Replay;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.CommandLine;

/// <summary>What a trace is replayed on: the options that all commands which replay have in common.</summary>
internal sealed class ReplayOptions
{
    private readonly Option<string> _cores = Text("--cores", "1", "Processors of a silo of the replay.");
    private readonly Option<string> _cost = Text(
        "--cost", "1", "A factor for what all work costs processors in the replay.");
    private readonly Option<string?> _transactions =
        Optional(
            "--transactions",
            "Measured transactions of a replay; half as many are warm-up on top. Default: 20 for each client, at least "
            + "1,200, so that queues fill.");

    /// <summary>The option of the costs' factor, as it was typed.</summary>
    public Option<string> Cost => _cost;

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        ArgumentNullException.ThrowIfNull(command);
        foreach (Option option in (Option[])[_cores, _cost, _transactions]) command.Add(option);
    }

    /// <summary>The replay.</summary>
    /// <param name="parsed">What was typed.</param>
    /// <param name="silos">Silos.</param>
    /// <param name="clients">Of the closed loop.</param>
    /// <param name="network">How long a message is under way, one way.</param>
    /// <param name="append">How long an append takes.</param>
    /// <param name="costs">What work costs, if <c>--cost</c> is not to say so.</param>
    /// <param name="cores">Processors of each of so many silos, if <c>--cores</c> does not say so.</param>
    /// <exception cref="CommandInputException">Something of it is not valid.</exception>
    public ReplaySettings Read(
        ParseResult parsed, int silos, int clients, TimeSpan network, TimeSpan append, ReplayCosts? costs = null,
        Func<int, int>? cores = null)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        var typed = parsed.Whole(_cores, 1, 64);
        return new ReplaySettings
        {
            Clients = clients, Silos = silos, NetworkMicroseconds = (long)network.TotalMicroseconds,
            AppendMicroseconds = (long)append.TotalMicroseconds,
            CoresPerSilo = cores is not null && parsed.GetResult(_cores) is not { Implicit: false }
                ? Math.Clamp(cores(silos), 1, 64)
                : typed,
            Costs = costs ?? new ReplayCosts().Scaled(parsed.Number(_cost, 0.01, 1_000)),
        }.WithMeasured(parsed.WholeOrNone(_transactions, 100, 10_000_000) ?? ReplaySettings.MeasuredFor(clients));
    }
}
