using Polyjuice.Simulation.Events;

namespace Polyjuice.Training.Search;

/// <summary>
/// The Polyjuice paper's policy gradient (§5.2): each cell has a softmax over its choices; an iteration draws a batch
/// of tables, takes their throughput as reward, and moves the logits along the gradient of the expected reward
/// (REINFORCE, with the batch's mean as baseline). Begins at ic3, if that is among the tables that it is given, as the
/// authors' artifact does, else at the reference. The most probable table of each iteration is replayed with the batch.
/// </summary>
internal sealed class GradientSearch : ITableSearch
{
    private const int Batch = 15;

    /// <summary>How probable a choice of the table is that it begins with; others share the rest.</summary>
    private const double FirstProbability = 0.97;

    private const double LearningRate = 0.15;

    /// <inheritdoc/>
    public string Name => "gradient";

    /// <inheritdoc/>
    public string Description => "the policy gradient of the Polyjuice paper";

    /// <inheritdoc/>
    void ITableSearch.Search(SearchRun run)
    {
        var start = run.Starts.FirstOrDefault(one => one.Name == "ic3").Candidate ?? run.Reference;
        var logits = Begin(run.Space, start);
        run.Iterated(run.Replay([.. run.Starts.Select(one => one.Candidate).Distinct()], 0));
        for (var iteration = 1; ; iteration++)
        {
            var probabilities = Array.ConvertAll(logits, Softmax);
            var batch = Enumerable.Range(0, Batch)
                .Select(_ => new Candidate(Array.ConvertAll(probabilities, of => Draw(of, run.Random)))).ToArray();
            var mode = new Candidate(Array.ConvertAll(probabilities, of => (ushort)Array.IndexOf(of, of.Max())));
            var ratios = run.Replay([mode, .. batch], iteration);
            run.Iterated(ratios);
            Learn(logits, probabilities, batch, ratios.AsSpan(1));
        }
    }

    private static double[][] Begin(TableSpace space, Candidate start)
    {
        var logits = new double[space.Cells.Count][];
        for (var i = 0; i < logits.Length; i++)
        {
            logits[i] = new double[space.Cells[i].Choices];
            if (logits[i].Length > 1)
                logits[i][start.Choices[i]] = Math.Log(
                    FirstProbability * (logits[i].Length - 1) / (1 - FirstProbability));
        }

        return logits;
    }

    private static void Learn(
        double[][] logits, double[][] probabilities, Candidate[] batch, ReadOnlySpan<double> rewards)
    {
        var mean = 0.0;
        foreach (var reward in rewards) mean += reward / rewards.Length;
        var deviation = 0.0;
        foreach (var reward in rewards) deviation += (reward - mean) * (reward - mean) / rewards.Length;
        deviation = Math.Sqrt(deviation);
        if (deviation < 1e-9) return;
        for (var b = 0; b < batch.Length; b++)
        {
            var step = LearningRate * (rewards[b] - mean) / deviation;
            for (var i = 0; i < logits.Length; i++)
            {
                for (var choice = 0; choice < logits[i].Length; choice++)
                    logits[i][choice] += step * ((batch[b].Choices[i] == choice ? 1 : 0) - probabilities[i][choice]);
            }
        }
    }

    private static double[] Softmax(double[] logits)
    {
        var most = logits.Max();
        var powers = Array.ConvertAll(logits, logit => Math.Exp(logit - most));
        var sum = powers.Sum();
        return Array.ConvertAll(powers, power => power / sum);
    }

    private static ushort Draw(double[] probabilities, SimulationRandom random)
    {
        var at = random.NextDouble();
        for (var choice = 0; choice < probabilities.Length - 1; choice++)
        {
            at -= probabilities[choice];
            if (at < 0) return (ushort)choice;
        }

        return (ushort)(probabilities.Length - 1);
    }
}
