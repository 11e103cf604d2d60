using Polyjuice.Contracts;
using Polyjuice.Lab.Load;
using Polyjuice.Policies;
using Polyjuice.Training.Traces;

namespace Polyjuice.Lab.Choosing;

/// <summary>
/// An application that nobody wrote, drawn at random: transaction types that access states of some classes in a fixed
/// or in any order, each class with its own number of grains and its own skew. The trace of it is replayed in virtual
/// time.
/// </summary>
internal sealed class DrawnApplication
{
    private const int Transactions = 2_500;

    private static readonly double[] _thetas = [0, 0, 0.5, 0.8, 0.99, 1.2, 1.5];
    private static readonly int[] _grains = [1, 2, 4, 10, 100, 1_000, 5_000, 5_000];
    private static readonly int[] _updates = [0, 10, 20, 50, 50, 80, 100, 100];

    private readonly BenchmarkRandom _random;
    private readonly AccessTraceBuilder _builder = new(0);
    private readonly List<StateClass> _classes = [];

    private DrawnApplication(ulong seed) => _random = new(seed);

    /// <summary>Draws one, and its transactions.</summary>
    /// <param name="seed">Of all that is drawn.</param>
    /// <param name="silos">That its grains are on.</param>
    public static AccessTrace Draw(ulong seed, int silos) => new DrawnApplication(seed).Trace(silos);

    private AccessTrace Trace(int silos)
    {
        int[] nodes = [.. Enumerable.Range(1, silos).Select(number => _builder.AddSilo(number))];
        var count = _random.Between(1, 4);
        for (var i = 0; i < count; i++) _classes.Add(ClassOf(i, nodes));
        Plan[] plans = [.. Enumerable.Range(0, _random.Between(1, 5)).Select(PlanOf)];
        for (var i = 0; i < Transactions; i++) Add(_random.Any(plans), i, silos);
        return _builder.Build();
    }

    private StateClass ClassOf(int number, int[] nodes)
    {
        var name = $"Class{number}";
        int[] participants =
        [
            .. Enumerable.Range(0, _random.Any(_grains)).Select(i => _builder.AddParticipant(
                _builder.AddGrain(name, $"{name}/{i}"), $"{name}.state", nodes[i % nodes.Length])),
        ];
        return new($"{name}.state", participants, new ZipfianGenerator(participants.Length, _random.Any(_thetas)));
    }

    private Plan PlanOf(int number)
    {
        var updates = _random.Any(_updates);
        var isLoop = _random.Next(3) == 0;
        var steps = Enumerable.Range(0, _random.Between(1, isLoop ? 3 : 8))
            .Select(
                step => new PlannedAccess(
                    _random.Any(_classes), $"Step{step}", IsUpdate(updates), isLoop ? _random.Between(2, 6) : 1))
            .ToList();

        // A state that is read first and updated later.
        if (_random.Next(4) == 0 && steps[0] is { Updates: false } first)
            steps.Add(first with { Method = "Again", Updates = true, IsAgain = true });
        return new($"IType{number}.Run", steps, updates, _random.Next(2) == 0);
    }

    private bool IsUpdate(int percent) => _random.Next(100) < percent;

    private void Add(Plan plan, int number, int silos)
    {
        var accesses = new List<TraceAccess>();
        var seen = new HashSet<int>();
        var first = -1;
        foreach (var step in plan.Steps)
        {
            for (var i = 0; i < step.Times; i++)
            {
                var participant = step.IsAgain ? first : step.Of.Participants[step.Of.Skew.Next(_random)];
                if (first < 0) first = participant;
                if (!step.IsAgain && !seen.Add(participant)) continue;

                // In a loop each access reads or updates by itself, as of a client's list of operations.
                var updates = step.Times > 1 ? IsUpdate(plan.Updates) : step.Updates;
                var kind = updates ? AccessKind.Update : AccessKind.Read;
                var site = _builder.AddSite(
                    new SiteKey(
                        plan.Type, $"{plan.Type}>IStep.{step.Method}{(updates ? "" : "Read")}", step.Of.State, kind));
                accesses.Add(new(site, participant, accesses.Count, 1, TraceAccessFlags.None));
            }
        }

        // Where an application sorts what it accesses there are no deadlocks.
        if (plan.IsSorted && !plan.Steps.Exists(static step => step.IsAgain))
            accesses.Sort(static (one, other) => one.Participant.CompareTo(other.Participant));
        _builder.AddTransaction(
            new TraceTransaction(
                _builder.AddType(plan.Type), number * 100, 50, 0, _random.Next(silos), 1, AbortReason.None, false, 0,
                0),
            [.. accesses]);
    }

    private sealed record StateClass(string State, int[] Participants, ZipfianGenerator Skew);

    private sealed record PlannedAccess(StateClass Of, string Method, bool Updates, int Times)
    {
        public bool IsAgain { get; init; }
    }

    private sealed record Plan(string Type, List<PlannedAccess> Steps, int Updates, bool IsSorted);
}
