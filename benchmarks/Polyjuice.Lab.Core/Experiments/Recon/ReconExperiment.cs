using System.Globalization;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Experiments.Recon;

/// <summary>
/// What dry runs and reservations bring: transfers among five records under growing skew, on warm and on cold grains,
/// with fast and slow storage (Eldeeb's thesis, §4.7), and the micro-benchmark of Calvin's paper with one hot record
/// for each participant.
/// </summary>
/// <param name="settings">What it is run with; <see langword="null"/> for what suits the scale.</param>
internal sealed class ReconExperiment(ReconSettings? settings = null) : IExperiment
{
    /// <summary>The panel of Calvin's micro-benchmark.</summary>
    public const string Calvin = "one hot record a partition";

    /// <inheritdoc/>
    public string Name => "recon";

    /// <inheritdoc/>
    public string Description =>
        "Dry runs and reservations: transfers under growing skew, on warm and cold grains, with fast and slow storage, "
        + "and Calvin's contention micro-benchmark (Eldeeb, §4.7).";

    /// <inheritdoc/>
    public ExperimentPlan Plan(ExperimentScale scale)
    {
        ArgumentNullException.ThrowIfNull(scale);
        var chosen = settings ?? ReconSettings.Of(scale);
        return new ExperimentPlan
        {
            Arms = Arms(chosen),
            Rounds = scale.Rounds,
            WarmsUp = scale.Name != ExperimentScale.Brief.Name,
            Settings = new Dictionary<string, string>
            {
                ["records"] = chosen.Records.ToString(CultureInfo.InvariantCulture),
                ["clients"] = chosen.Clients.ToString(CultureInfo.InvariantCulture),
                ["silos"] = chosen.Silos.ToString(CultureInfo.InvariantCulture),
                ["seconds"] = chosen.Measured.TotalSeconds.ToString(CultureInfo.InvariantCulture),
                ["slice seconds"] = chosen.Slice.TotalSeconds.ToString(CultureInfo.InvariantCulture),
                ["rounds"] = scale.Rounds.ToString(CultureInfo.InvariantCulture),
                ["seed"] = chosen.Seed.ToString(CultureInfo.InvariantCulture),
            },
            Panels =
            [
                .. from storage in chosen.Storage
                   from isCold in new[] { false, true }
                   select new ExperimentPanel(PanelOf(storage, isCold), "Zipfian skew θ"),
                new(Calvin, "contention index", ChartKind.LogarithmicCurves),
            ],
            Drawn =
            [
                new("committed/s", "committed a second"), new("aborted", "share of attempts aborted by conflicts"),
                new("span p99 ms", "first to last step, p99 ms")
            ],
            Ratios = [.. ReconFindings.Bases.Select(series => new PairedRatio(ReconFindings.Rate, series))],
            Findings = ReconFindings.Of,
        };
    }

    /// <summary>Everything that is measured.</summary>
    public static IReadOnlyList<ExperimentArm> Arms(ReconSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        var transfers = new SkewedTransfers(settings.Records, settings.Seed);
        var arms = new List<ExperimentArm>();
        foreach (var storage in settings.Storage)
        {
            foreach (var isCold in new[] { false, true })
            {
                foreach (var theta in settings.Thetas)
                    arms.AddRange(
                        settings.Policies.Select(
                            policy => Arm(
                                PanelOf(storage, isCold),
                                policy,
                                theta,
                                storage,
                                isCold,
                                (round, _) => transfers.Of(round, theta))));
            }
        }

        foreach (var index in settings.ContentionIndexes)
            arms.AddRange(
                settings.Policies.Select(
                    policy => Arm(
                        Calvin,
                        policy,
                        index,
                        TimeSpan.Zero,
                        isCold: false,
                        (_, partitions) => new HotTransfer(partitions, index))));
        return arms;

        ExperimentArm Arm(
            string panel, string policy, double x, TimeSpan storage, bool isCold,
            Func<int, IReadOnlyList<long>[], ITransferKeys> choose) =>
            new(panel, policy, x, new ReconCase(settings, policy, storage, isCold, choose).MeasureAsync);
    }

    /// <summary>The panel of transfers on grains that are loaded, or not, with a storage of some latency.</summary>
    public static string PanelOf(TimeSpan storage, bool isCold) =>
        FormattableString.Invariant($"{(isCold ? "cold" : "warm")} grains, storage {storage.TotalMilliseconds:0.#} ms");
}
