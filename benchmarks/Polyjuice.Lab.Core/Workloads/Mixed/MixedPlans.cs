using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>Draws one client's transactions.</summary>
/// <remarks>
/// A grain that takes one call at a time keeps its turn while what it calls runs. Two that call each other wait for
/// each other until a call's time is over, and one that is called back by what it has called waits for itself: both as
/// on Orleans, and mistakes of an application. So such a cell calls only those of its kind that come after it.
/// </remarks>
internal sealed class MixedPlans(MixedWorkload workload, ZipfianGenerator cells, BenchmarkRandom random)
{
    private const int StepsMax = 5;
    private const int DepthMax = 3;
    private const int AmountMax = 50;

    // What is learned goes wrong in one of so many: in more than one of some seventeen, nothing would be.
    private const int StraysEvery = 40;

    private static readonly MixedCall[] _kinds =
    [
        MixedCall.OneByOne, MixedCall.OneByOne, MixedCall.OneByOne, MixedCall.Parallel, MixedCall.Nested,
        MixedCall.Nested, MixedCall.Closed, MixedCall.Declared, MixedCall.Learned, MixedCall.Learned,
        MixedCall.ReadOnly, MixedCall.Client, MixedCall.Own,
    ];

    public MixedPlan Next()
    {
        var kind = _kinds[random.Next(_kinds.Length)];
        if (kind == MixedCall.Closed && !workload.HasClosed) kind = MixedCall.OneByOne;
        return kind switch
        {
            MixedCall.Parallel => new(kind, Call(OpenCell(), Steps(isDistinct: true), isParallel: true), false),
            MixedCall.Nested => new(kind, Call(OpenCell(), Nest(Steps(), DepthMax)), false),
            MixedCall.Closed => Closed(),
            MixedCall.Declared => Declared(),
            MixedCall.Learned => Learned(),
            MixedCall.ReadOnly => ReadOnly(),
            MixedCall.Client => Client(),
            MixedCall.Own => Own(),
            _ => new(kind, Call(OpenCell(), Steps()), false),
        };
    }

    private MixedPlan Closed()
    {
        // The first of its kind may call all others.
        var steps = Steps();
        var cell = workload.CellOf(ClosedNumber());
        return new(
            MixedCall.Closed,
            Call(Fits(cell, steps) ? cell : workload.CellOf(MixedWorkload.FirstClosed), steps),
            false);
    }

    private MixedPlan Declared()
    {
        var pair = Transfer(OpenNumber(), OpenNumber);
        return new(MixedCall.Declared, Call(pair[0].Cell, pair), false);
    }

    // As a rule it accesses what its arguments name.
    private MixedPlan Learned()
    {
        var steps = Transfer(OpenNumber(), OpenNumber);
        if (random.Next(StraysEvery) == 0)
            steps =
            [
                .. steps, new CellStep { Cell = OpenCell(), Part = CellPart.Register, Mark = workload.NextMark() }
            ];
        return new(MixedCall.Learned, Call(steps[0].Cell, steps), false);
    }

    private MixedPlan ReadOnly()
    {
        var sums = random.Next(2) == 0;
        var steps = sums
            ? workload.AllAccounts
            : [.. Steps(isDistinct: true).Select(step => new CellStep { Cell = step.Cell, Part = step.Part })];
        return new(
            MixedCall.ReadOnly,
            new CellStep { Cell = OpenCell(), Steps = steps, IsParallel = random.Next(2) == 0 },
            sums);
    }

    private MixedPlan Client()
    {
        var isParallel = random.Next(3) == 0;
        var steps = Steps(isDistinct: isParallel);
        return new(MixedCall.Client, Call("", isParallel ? steps : Nest(steps, 2), isParallel), false);
    }

    private MixedPlan Own()
    {
        var steps = Nest(Steps(), 1);
        return new(MixedCall.Own, Call(Root(steps), steps), false);
    }

    private CellStep Call(string cell, CellStep[] steps, bool isParallel = false) =>
        new() { Cell = cell, Steps = steps, IsParallel = isParallel, Declines = random.Next(20) == 0 };

    private CellStep[] Steps(bool isDistinct = false)
    {
        var count = 1 + random.Next(StepsMax);
        var steps = new List<CellStep>();
        var taken = new HashSet<(string, CellPart)>();
        while (steps.Count < count)
        {
            var drawn = Draw();
            if (!isDistinct || drawn.All(step => !taken.Contains((step.Cell, step.Part)))) steps.AddRange(drawn);
            taken.UnionWith(drawn.Select(step => (step.Cell, step.Part)));
        }

        return [.. steps];
    }

    private CellStep[] Draw()
    {
        var number = Number();
        var reads = random.Next(2) == 0;
        return random.Next(10) switch
        {
            < 4 => [workload.ListStep(number, reads)],
            < 7 => [
                new CellStep
                {
                    Cell = workload.CellOf(number), Part = CellPart.Register, Mark = reads ? 0 : workload.NextMark()
                }
            ],
            < 8 => [new CellStep { Cell = workload.CellOf(number), Part = CellPart.Account }],
            _ => Transfer(number, Number),
        };
    }

    private CellStep[] Transfer(int from, Func<int> draw)
    {
        int to;
        do to = draw();
        while (to == from);
        var amount = 1 + random.Next(AmountMax);
        return [Deposit(from, -amount), Deposit(to, amount)];
    }

    private CellStep Deposit(int number, int amount) =>
        new() { Cell = workload.CellOf(number), Part = CellPart.Account, Mark = workload.NextMark(), Amount = amount };

    // A part of the steps becomes the steps of a call.
    private CellStep[] Nest(CellStep[] steps, int depth)
    {
        if (depth == 0 || steps.Length < 2) return steps;
        var from = random.Next(steps.Length);
        var to = from + 1 + random.Next(steps.Length - from);
        var inner = Nest(steps[from..to], depth - 1);
        var isDistinct = inner.SelectMany(step => step.Accesses()).DistinctBy(step => (step.Cell, step.Part))
            .Count() == inner.Sum(step => step.Accesses().Count());
        return [
            .. steps[..from],
            new CellStep { Cell = Root(inner), Steps = inner, IsParallel = isDistinct && random.Next(2) == 0 },
            .. steps[to..]
        ];
    }

    private string Root(CellStep[] steps)
    {
        if (random.Next(3) != 0 || !workload.HasClosed) return OpenCell();
        var closed = workload.CellOf(ClosedNumber());
        return Fits(closed, steps) ? closed : OpenCell();
    }

    private static bool Fits(string cell, CellStep[] steps) =>
        steps.All(
            step => (!step.IsCall && step.Cell == cell)
                || Called(step).All(called => !Cells.IsClosed(called) || string.CompareOrdinal(called, cell) > 0));

    private static IEnumerable<string> Called(CellStep step) => step.Steps.SelectMany(Called).Append(step.Cell);

    private int Number() => cells.Next(random);

    private string OpenCell() => workload.CellOf(OpenNumber());

    private int OpenNumber()
    {
        int number;
        do number = Number();
        while (workload.IsClosed(number));
        return number;
    }

    private int ClosedNumber()
    {
        int number;
        do number = Number();
        while (!workload.IsClosed(number));
        return number;
    }
}
