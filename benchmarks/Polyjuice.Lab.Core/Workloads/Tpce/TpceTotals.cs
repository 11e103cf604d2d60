using System.Globalization;
namespace Polyjuice.Lab.Workloads.Tpce;

/// <summary>What all grains together say, to be compared with what clients were told and with each other.</summary>
internal sealed record TpceTotals
{
    /// <summary>Trades that securities have in their indexes.</summary>
    public long BySecurities { get; init; }

    /// <summary>Trades that accounts have in theirs.</summary>
    public long ByAccounts { get; init; }

    /// <summary>Trades that clients were told of and that are not there.</summary>
    public long Missing { get; init; }

    /// <summary>What was overwritten in trades.</summary>
    public long Updates { get; init; }

    /// <summary>Quantities that exchanges have reported.</summary>
    public long Volume { get; init; }

    /// <summary>Requests that wait for a price, as securities say.</summary>
    public long Waiting { get; init; }

    /// <summary>Requests that wait, as brokers say.</summary>
    public long WaitingByBrokers { get; init; }

    /// <summary>Requests that have been met.</summary>
    public long Met { get; init; }

    /// <summary>Judges them.</summary>
    public InvariantCheck Judge(Tally orders, Tally limits, Tally updates, Tally volume)
    {
        var wrong = new List<string>();
        if (BySecurities != ByAccounts)
            wrong.Add(
                FormattableString.Invariant($"securities have {BySecurities:N0} trades, and accounts {ByAccounts:N0}"));
        if (Waiting != WaitingByBrokers)
            wrong.Add(
                FormattableString.Invariant(
                    $"{Waiting:N0} requests wait at securities, and {WaitingByBrokers:N0} at brokers"));
        if (Missing > 0) wrong.Add(FormattableString.Invariant($"{Missing:N0} acknowledged trades are not there"));
        orders.Compare("trades", BySecurities, wrong);
        limits.Compare("requests that wait or have been met", Waiting + Met, wrong);
        updates.Compare("updates of trades", Updates, wrong);
        volume.Compare("volume of all securities", Volume, wrong);
        return InvariantCheck.Of(
            wrong,
            string.Create(
                CultureInfo.InvariantCulture,
                $"securities, accounts and brokers agree on {BySecurities:N0} trades and {Waiting + Met:N0} requests, "
                + $"as acknowledged"),
            "TRADES ARE WRONG");
    }
}
