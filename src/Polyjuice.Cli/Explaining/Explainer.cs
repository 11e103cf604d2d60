using System.Diagnostics;
using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Explaining;

/// <summary>Explains a policy, and says what it finds out as soon as it knows.</summary>
/// <param name="named">The policy as somebody has named it.</param>
/// <param name="table">The policy.</param>
/// <param name="others">What it is compared with.</param>
/// <param name="output">Where it says so.</param>
internal sealed class Explainer(
    string named, PolicyDocument table, IReadOnlyList<PolicyDocument> others, TextWriter output)
{
    /// <summary>Of the replays.</summary>
    public required ulong Seed { get; init; }

    /// <summary>With how many seeds each table is replayed.</summary>
    public required int Replays { get; init; }

    /// <summary>Replays at a time.</summary>
    public required int Threads { get; init; }

    /// <summary>Explains it by what it says.</summary>
    /// <exception cref="CommandInputException">It has no sites.</exception>
    public Explained Explain()
    {
        if (table.Catalogue.Types.Count == 0)
            throw new CommandInputException(
                $"{named} has no catalogue, so it has no sites to speak of. "
                + "Name a --workload, or a --trace of the application.");
        return Say(table, ran: null);
    }

    /// <summary>Explains it by what it says and by what its cells are worth on a trace.</summary>
    /// <exception cref="ArgumentException">The trace is too short, or none of the policy's types ran in it.</exception>
    /// <exception cref="OperationCanceledException">It was ended before there was anything to say.</exception>
    public Explained Explain(
        AccessTrace trace, ReplaySettings settings, string source, CancellationToken cancellationToken)
    {
        settings = ReservingTables.Follow(settings, others.Prepend(table), output);
        var input = TrainingInput.Of(trace, settings, source, output);
        var ran = input.Workload.RanCatalogue;
        if (table.Catalogue.Types.Count > 0 && !table.Catalogue.Types.Any(type => ran.Find(type.Name) is not null))
            throw new CommandInputException(
                $"{named}: none of its types ran in the trace. "
                + $"Those that did: {string.Join(", ", ran.Types.Select(type => type.Name))}.");
        output.WriteLine();
        var explained = Say(table.Catalogue.Types.Count == 0 ? table with { Catalogue = ran } : table, ran);
        if (others.Count == 0) return explained;
        output.WriteLine();
        var plan = new AblationPlan
        {
            Workload = input.Workload, Evaluator = new ReplayEvaluator(input.Workload, settings),
            Table = table, Compared = others, Seed = Seed, Replays = Replays, Threads = Threads,
        };
        var watch = Stopwatch.StartNew();
        try
        {
            var ablation = new ProgressDisplay(output, "the tables themselves").Run(
                hear => TableAblation.Run(
                    plan, progress => hear(Describe(progress, watch.Elapsed)), cancellationToken));
            output.Write(AblationText.Of(ablation, table.Name, source));
            return explained with { Ablation = ablation, WasEnded = !ablation.IsWhole };
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            output.WriteLine(
                "Ended before the tables themselves were replayed: what their cells are worth is not known.");
            return explained with { WasEnded = true };
        }
    }

    private Explained Say(PolicyDocument spelled, SiteCatalogue? ran)
    {
        var explanation = PolicyExplanation.Of(spelled, others, ran).Expecting(OriginFile.SentencesBeside(named));
        output.Write(explanation.Render());
        var whole = new DocumentPolicy(spelled).Materialize();
        var types = whole.Catalogue.Types.Where(type => ran is null || ran.Find(type.Name) is not null);
        var shown = whole.Catalogue with { Types = [.. types] };
        var compared = others.Select(other => PolicySpelling.Over(other, shown)).ToList();
        return new Explained(explanation, whole with { Catalogue = shown }, compared, Ablation: null, WasEnded: false);
    }

    private static WorkProgress Describe(AblationProgress progress, TimeSpan elapsed)
    {
        if (progress.All is not { } all)
            return new WorkProgress($"the tables themselves: replay {progress.Done}", 0, elapsed);
        var share = (double)progress.Done / all;
        var left = elapsed * ((1 - share) / share);
        var text = string.Create(
            CultureInfo.InvariantCulture, $"cells: {progress.Done:n0} of {all:n0} replays, {left:h\\:mm\\:ss} left");
        return new WorkProgress(text, share, elapsed);
    }
}
