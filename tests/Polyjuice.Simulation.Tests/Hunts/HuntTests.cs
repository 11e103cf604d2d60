using System.Globalization;
using Polyjuice.Simulation.Coverage;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Hunts;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Tests.Hunts;

public class HuntTests
{
    private static readonly RunCase s_common = new() { Seed = 0, Probes = true };

    [Fact]
    public void The_same_start_gives_the_same_runs_whatever_the_order_in_which_they_end()
    {
        var inOrder = Make(start: 7, runs: 60, atATime: 1);
        Assert.Equal(inOrder, Make(start: 7, runs: 60, atATime: Hunt.Lag));
        Assert.NotEqual(inOrder, Make(start: 8, runs: 60, atATime: 1));
    }

    [Fact]
    public void Threads_share_a_hunt_and_each_number_is_given_once()
    {
        var hunt = new Hunt(7, s_common, Shapes.Hard);
        var gate = new Lock();
        var made = new SortedDictionary<int, string>();
        var threads = Enumerable.Range(0, 3).Select(_ => new Thread(() =>
        {
            for (var i = 0; i < 20; i++)
            {
                var run = hunt.Next(out var number);
                hunt.Report(number, run, Simulator.Run(run).Features);
                lock (gate) made.Add(number, Describe(run));
            }
        })).ToArray();
        foreach (var thread in threads) thread.Start();
        foreach (var thread in threads) thread.Join();
        Assert.Equal(Make(start: 7, runs: 60, atATime: 1), made.Values);
    }

    [Fact]
    public void What_a_hunt_makes_of_an_earlier_run_can_be_printed_and_made_again()
    {
        var hunt = new Hunt(3, s_common, Shapes.Hard);
        var (streams, aims) = (0, 0);
        for (var i = 0; i < 80; i++)
        {
            var run = hunt.Next(out var number);
            var result = Simulator.Run(run);
            hunt.Report(number, run, result.Features);
            if (run.Streams == default && run.Aims.Count == 0) continue;
            streams += run.Streams == default ? 0 : 1;
            aims += run.Aims.Count;
            var again = new RunCase
            {
                Seed = run.Seed,
                Shape = run.Shape,
                Faults = FaultNames.Parse(FaultNames.Format(run.Faults)),
                Streams = RunStreams.Parse(run.Streams.ToString()),
                Aims = [.. run.Aims.Select(aim => Aim.Parse(aim.ToString()))],
            };
            if (i % 4 == 0) Assert.Equal(result.Digest, Simulator.Run(again).Digest);
        }

        Assert.True(streams > 10 && aims > 50, $"{streams} cases with streams of their own, {aims} aims");
    }

    [Fact]
    public void What_the_common_case_sets_no_case_changes()
    {
        var hunt = new Hunt(
            1, s_common with { Faults = FaultKinds.AllNetwork, Silos = 3, Transactions = 4 }, [Shapes.Small]);
        for (var i = 0; i < 60; i++)
        {
            var run = hunt.Next(out var number);
            Assert.Equal((Shapes.Small, 3, 4), (run.Shape, run.Silos, run.Transactions));
            Assert.Equal(FaultKinds.None, run.Faults & ~FaultKinds.AllNetwork);
            Assert.All(run.Aims, aim => Assert.Equal(aim.Fault, aim.Fault & FaultKinds.AllNetwork));
            hunt.Report(number, run, Simulator.Run(run).Features);
        }
    }

    [Fact]
    public void Guided_runs_reach_more_states_than_as_many_seeds()
    {
        // From one start it may go either way: by chance a run that reaches much comes early or late.
        var ratios = Enumerable.Range(0, 10).Select(static start => StatesGuidedToUnguided((1_000 * start) + 1)).Order()
            .ToArray();
        var median = (ratios[4] + ratios[5]) / 2;

        Assert.True(
            median > 1.15,
            string.Create(CultureInfo.InvariantCulture, $"{median:0.000}: {string.Join(", ", ratios)}"));
    }

    private static double StatesGuidedToUnguided(int start)
    {
        const int Runs = 150;
        var (guided, unguided) = (new HashSet<int>(), new HashSet<int>());
        var hunt = new Hunt((ulong)start, s_common, Shapes.Hard);
        for (var i = 0; i < Runs; i++)
        {
            var run = hunt.Next(out var number);
            var features = Simulator.Run(run).Features;
            hunt.Report(number, run, features);
            Add(guided, features);
            Add(unguided, Simulator.Run(s_common with { Seed = (ulong)(i + start), Shape = Shapes.Any }).Features);
        }

        return (double)guided.Count / unguided.Count;
    }

    private static void Add(HashSet<int> places, FeatureSet? features) =>
        places.UnionWith(features!.Reached.Select(feature => feature.Place));

    /// <summary>So many cases; so many are taken before any of them is reported, the last one first.</summary>
    private static List<string> Make(ulong start, int runs, int atATime)
    {
        var hunt = new Hunt(start, s_common, Shapes.Hard);
        var made = new List<string>();
        var taken = new Stack<(int Number, RunCase Run)>();
        for (var i = 0; i < runs; i++)
        {
            var run = hunt.Next(out var number);
            Assert.Equal(i, number);
            made.Add(Describe(run));
            taken.Push((number, run));
            if (taken.Count < atATime && i < runs - 1) continue;
            while (taken.TryPop(out var next)) hunt.Report(next.Number, next.Run, Simulator.Run(next.Run).Features);
        }

        return made;
    }

    private static string Describe(RunCase run) =>
        $"{run.Seed} {run.Shape} {FaultNames.Format(run.Faults)} {run.Streams} {string.Join(',', run.Aims)}";
}
