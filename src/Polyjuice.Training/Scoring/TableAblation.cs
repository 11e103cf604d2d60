using Polyjuice.Policies;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Scoring;

/// <summary>
/// Finds out which cells of a table carry its gain: replays it with one group of cells after the other taken from the
/// best of the tables that it is compared with, and that one with the group taken from the table. A group is all cells
/// that decide one thing, of all types or of one. The two figures need not agree: cells may be worth something only
/// together.
/// </summary>
internal static class TableAblation
{
    /// <summary>The kinds of cells, in the order in which they are tried.</summary>
    private static readonly CellKind[] _kinds =
    [
        CellKind.Read, CellKind.Write, CellKind.EarlyValidation, CellKind.Wait, CellKind.Holders, CellKind.Heat,
        CellKind.Backoff,
    ];

    /// <summary>Runs an ablation.</summary>
    /// <param name="plan">Of what.</param>
    /// <param name="report">Hears after each replay; never twice at a time, and on any of the threads.</param>
    /// <param name="cancellationToken">Ends it: what is known by then is the result.</param>
    /// <exception cref="OperationCanceledException">It was ended before the tables themselves were done.</exception>
    /// <exception cref="ReplayFailedException">The engine or the replay is broken.</exception>
    public static AblationResult Run(
        AblationPlan plan, Action<AblationProgress> report, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(report);
        ArgumentOutOfRangeException.ThrowIfLessThan(plan.Replays, 2);
        if (plan.Compared.Count == 0)
            throw new ArgumentException("There is nothing to compare the table with.", nameof(plan));
        var trials = new Trials(plan, report, cancellationToken);
        var own = new Exchange(plan, plan.Table, plan.Compared[0]);
        var others = plan.Compared.Select(other => new Exchange(plan, other, plan.Table)).ToList();
        var began = trials.Of([own.Whole, .. others.Select(other => other.Whole)], isLast: false);
        if (began.Any(static trial => trial is null)) throw new OperationCanceledException(cancellationToken);
        var (table, compared) = (began[0]!, began.Skip(1).OfType<TrialResult>().ToList());
        var best = Enumerable.Range(0, compared.Count).MaxBy(i => compared[i].Mean);
        own = new Exchange(plan, plan.Table, plan.Compared[best]);
        return Groups(trials, own, others[best], table, compared, compared[best]);
    }

    private static AblationResult Groups(
        Trials trials, Exchange own, Exchange other,
        TrialResult table, IReadOnlyList<TrialResult> compared, TrialResult best)
    {
        var groups = _kinds.SelectMany(kind => own.Types.Select(type => (Kind: kind, Type: type)))
            .OrderBy(static group => group.Type is not null)
            .Select(group => (group.Kind, group.Type, Cells: own.Differing(group.Kind, group.Type)))
            .Where(static group => group.Cells.Count > 0)
            .ToList();

        // Both tables of a group one after the other, so that what is ended has whole groups.
        var tables = groups.SelectMany(group => (IPolicyCompiler[])[own.With(group.Cells), other.With(group.Cells)]);
        var replayed = trials.Of([.. tables], isLast: true);
        var found = new List<AblatedGroup>();
        for (var i = 0; i < groups.Count; i++)
        {
            if (replayed[2 * i] is not { } without || replayed[(2 * i) + 1] is not { } alone) continue;
            var type = groups[i].Type is { } number ? own.NameOf(number) : null;
            var (lost, gained) = (Change(without, table), Change(alone, best));
            found.Add(new AblatedGroup(groups[i].Kind, type, groups[i].Cells.Count, lost, gained));
        }

        found = [.. found.OrderBy(static group => group.Without.Gain)];
        return new AblationResult(table, compared, best, found, groups.Count);
    }

    private static ScoreChange Change(TrialResult changed, TrialResult before) =>
        changed.Over(before) is var (gain, error) ? new ScoreChange(gain, error) : default;

    /// <summary>A table whose cells can be exchanged for another one's.</summary>
    private sealed class Exchange
    {
        private readonly TableSpace _space;
        private readonly string _name;
        private readonly ushort[] _own;
        private readonly ushort[] _theirs;

        public Exchange(AblationPlan plan, PolicyDocument own, PolicyDocument theirs)
        {
            _space = new TableSpace(plan.Workload, own, [theirs]);
            _name = own.Name;
            (_own, _theirs) = (_space.Encode(own).Choices.ToArray(), _space.Encode(theirs).Choices.ToArray());
            Types = [null, .. plan.Workload.ContendingTypes];
        }

        /// <summary>All types, and each.</summary>
        public IReadOnlyList<int?> Types { get; }

        /// <summary>The table as it is.</summary>
        public IPolicyCompiler Whole => With([]);

        public string NameOf(int type) => _space.Catalogue.Types[type].Name;

        /// <summary>
        /// Where a group of cells differs. Cells have the same places whichever of the two tables has them.
        /// </summary>
        public IReadOnlyList<int> Differing(CellKind kind, int? type) => [.. Enumerable.Range(0, _own.Length)
            .Where(i => _space.Cells[i].Kind == kind && (type is null || _space.Cells[i].Type == type) && IsOther(i))];

        /// <summary>The table with some cells taken from the other one.</summary>
        public IPolicyCompiler With(IReadOnlyList<int> cells)
        {
            var choices = _own.ToArray();
            foreach (var cell in cells) choices[cell] = _theirs[cell];
            return new DocumentPolicy(_space.Decode(new Candidate(choices), _name));
        }

        private bool IsOther(int cell) => _own[cell] != _theirs[cell];
    }

    /// <summary>Replays of one ablation.</summary>
    private sealed class Trials(AblationPlan plan, Action<AblationProgress> report, CancellationToken cancellationToken)
    {
        private readonly Lock _gate = new();
        private readonly Dictionary<PolicyDocument, TrialResult> _known = [];
        private int _done;

        /// <summary>
        /// Replays tables, one after the other. A table that does the same as one before is not replayed again; one
        /// that was not replayed with all seeds, because somebody ended it, has no result.
        /// </summary>
        /// <param name="tables">Which.</param>
        /// <param name="isLast">Whether none are replayed after these.</param>
        public IReadOnlyList<TrialResult?> Of(IReadOnlyList<IPolicyCompiler> tables, bool isLast)
        {
            var documents = tables.Cast<DocumentPolicy>().Select(table => table.Document).ToList();
            var missing = documents.Where(document => !_known.ContainsKey(document)).Distinct().ToList();
            var scores = new ReplayScore?[missing.Count * plan.Replays];
            int? all = isLast ? _done + scores.Length : null;
            try
            {
                InParallel.For(scores.Length, plan.Threads, Replay, cancellationToken);
            }
            catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
            {
                // What was replayed counts.
            }

            for (var i = 0; i < missing.Count; i++)
            {
                var own = scores.Skip(i * plan.Replays).Take(plan.Replays).OfType<ReplayScore>().ToList();
                if (own.Count < plan.Replays) continue;
                double[] worth = [.. own.Select(ScoreObjective.Throughput.Of)];
                _known.Add(missing[i], new TrialResult(missing[i].Name, worth, own));
            }

            return [.. documents.Select(document => _known.GetValueOrDefault(document))];

            void Replay(int i)
            {
                var table = new DocumentPolicy(missing[i / plan.Replays]);
                var seed = HeldOutTrial.SeedOf(plan.Seed, i % plan.Replays);
                scores[i] = plan.Evaluator.Evaluate(table, ReplayPart.HeldOut, seed);
                lock (_gate) report(new AblationProgress(++_done, all));
            }
        }
    }
}
