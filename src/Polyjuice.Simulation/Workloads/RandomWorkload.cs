using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;

namespace Polyjuice.Simulation.Workloads;

/// <summary>
/// A few random transaction types, and transactions of them on random accounts. Money moves only between the two
/// accounts of a pair (0 and 1, 2 and 3, …), so that any body can tell an inconsistent view when it sees one.
/// </summary>
internal sealed class RandomWorkload : IWorkload
{
    /// <summary>What a body throws on a sight that no serial execution can give; must never surface.</summary>
    public const string Inconsistent = "inconsistent view";

    private readonly SimulationRandom _random;
    private readonly LoadShape _load;
    private readonly int _accounts;
    private readonly long _opening;
    private readonly int _hot;
    private readonly double _hotShare;
    private readonly double _userExceptions;
    private readonly List<(string Name, Func<TransactionSpec> Make)> _types = [];

    public RandomWorkload(SimulationRandom random, ClusterShape shape, LoadShape load)
    {
        _load = load;
        _random = random;
        _accounts = shape.Accounts;
        _opening = shape.OpeningBalance;
        _hot = random.Next(shape.Accounts);
        _hotShare = random.NextDouble() * load.HotShareMax;
        _userExceptions = load.UserExceptions;
        var types = 1 + random.Next(4);
        for (var i = 0; i < types; i++)
        {
            var name = $"Type{i}";
            if (random.Chance(load.ReadOnlyShare)) _types.Add((name, ReadOnlyType(name)));
            else if (!load.HasMoney) _types.Add((name, Tree(name)));
            else _types.Add((name, random.Next(4) switch { 0 => Transfer(name), 1 => Audit(name), _ => Tree(name) }));
        }
    }

    public TransactionSpec Next()
    {
        var spec = _random.Pick(_types).Make();
        if (_load.FinalSteps == 0 || spec.IsReadOnly || !_random.Chance(_load.FinalSteps)) return spec;

        // Most answers come at once or soon; some when the agent has lost its patience.
        var delay = _random.Next(5) switch { 0 => 0, 1 => OutsideService.Slowly, _ => _random.Between(1, 3_000) };
        var answer = _random.Next(6) switch { 0 => StepAnswer.No, 1 => StepAnswer.Breaks, _ => StepAnswer.Yes };
        var decide = Step.Decide(Account(), answer, delay);
        return spec with
        {
            Body = _random.Chance(0.5) ? Step.Sequence(spec.Body, decide) : Step.Sequence(decide, spec.Body)
        };
    }

    private int Account() => _random.Chance(_hotShare) ? _hot : _random.Next(_accounts);

    private int Pairs => _accounts / 2;

    private Func<TransactionSpec> ReadOnlyType(string name)
    {
        var reads = 1 + _random.Next(3);
        var parallel = _random.Chance(0.5);
        return () =>
        {
            var steps = Enumerable.Range(0, reads).Select(_ => Step.Read(Account())).ToArray();
            return new TransactionSpec(name, parallel ? Step.Parallel(steps) : Step.Sequence(steps), IsReadOnly: true);
        };
    }

    private Func<TransactionSpec> Transfer(string name)
    {
        var style = _random.Next(4);
        return () =>
        {
            if (Pairs == 0) return new TransactionSpec(name, Step.Update(Account()));
            var from = _random.Next(Pairs * 2);
            var to = from ^ 1;
            var amount = _random.Between(1, _opening / 2);
            var take = _random.Chance(_userExceptions) ? Step.Withdraw(from, amount) : Step.Update(from, -amount);
            var give = Step.Update(to, amount);
            return new TransactionSpec(name, style switch
            {
                0 => Step.Sequence(take, give),
                1 => Step.Parallel(take, give),
                2 => Step.Call(from, Step.Sequence(take, give)),
                _ => Step.Sequence(Step.Read(to), take, Pause(), give, CheckPair(from)),
            });
        };
    }

    private Func<TransactionSpec> Audit(string name)
    {
        var all = _random.Chance(0.3);
        var parallel = _random.Chance(0.5);
        var readOnly = _random.Chance(0.3);
        return () =>
        {
            if (Pairs == 0) return new TransactionSpec(name, Step.Read(Account()));
            var pair = _random.Next(Pairs);
            var accounts = all ? Enumerable.Range(0, Pairs * 2).ToArray() : [pair * 2, (pair * 2) + 1];
            var reads = accounts.Select(Step.Read).ToArray();
            var checks = accounts.Where(a => a % 2 == 0).Select(CheckPair);
            return new TransactionSpec(
                name, Step.Sequence([parallel ? Step.Parallel(reads) : Step.Sequence(reads), .. checks]), readOnly);
        };
    }

    private Func<TransactionSpec> Tree(string name)
    {
        var shape = new SimulationRandom(_random.Next());
        var seed = shape.Next();
        return () => new TransactionSpec(name, Grow(new SimulationRandom(seed), 1 + _random.Next(_load.DepthMax)));
    }

    /// <summary>The tree's form comes from the type's own stream, the accounts from the run's.</summary>
    private Step Grow(SimulationRandom form, int depth)
    {
        if (depth == 0) return Leaf(form);
        var width = 1 + form.Next(_load.WidthMax);
        var steps = Enumerable.Range(0, width).Select(_ => Grow(form, depth - 1)).ToArray();
        return form.Next(7) switch
        {
            0 => Step.Parallel(steps),
            1 => Step.Call(Account(), Step.Sequence(steps)),
            2 => Step.Call(Account(), Step.Parallel(steps)),
            3 => Step.If(
                view => view.Observations.Count > 0 && view.Observations[^1].Before.Count % 2 == 0,
                Step.Sequence(steps),
                Leaf(form)),
            4 when form.Chance(_userExceptions) => Step.Catch(Step.Sequence(steps)),
            5 when form.Chance(_userExceptions) =>
                Step.Sequence([
                    .. steps,
                    Step.ThrowIf(
                        view => view.Observations.Count > 0 && view.Observations[^1].Before.Count % 4 == 3, "as read")
                ]),
            _ => Step.Sequence(steps),
        };
    }

    private Step Leaf(SimulationRandom form) => form.Next(6) switch
    {
        0 or 1 => Step.Read(Account()),
        2 => Step.Sequence(Step.Read(Account()), Pause()),
        _ => Step.Update(Account()),
    };

    private Step Pause() => Step.Pause(_random.Between(1, 500));

    private Step CheckPair(int account)
    {
        var left = account & ~1;
        return Step.ThrowIf(
            view => view.Saw(left) && view.Saw(left + 1) && view.Balance(left) + view.Balance(left + 1) != 2 * _opening,
            Inconsistent);
    }
}
