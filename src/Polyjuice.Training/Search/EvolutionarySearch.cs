namespace Polyjuice.Training.Search;

/// <summary>
/// The Polyjuice paper's evolutionary algorithm (§5.1, §7.2): eight survivors with four children each; a child has each
/// of its parent's cells changed with a probability p, flipped where there are two choices and moved by up to λ where
/// choices are ordered; the best eight of parents and children survive. p and λ fall from iteration to iteration. There
/// is no crossover, which the authors found to help nothing. All are replayed anew in each iteration, with a seed of
/// its own. The paper gives no values of p and λ; these are ours.
/// </summary>
internal sealed class EvolutionarySearch : ITableSearch
{
    private const int Survivors = 8;
    private const int Children = 4;
    private const double FirstProbability = 0.05;
    private const double LastProbability = 0.005;
    private const double FirstDistance = 4;
    private const double Decay = 0.98;

    /// <inheritdoc/>
    public string Name => "ea";

    /// <inheritdoc/>
    public string Description => "the evolutionary algorithm of the Polyjuice paper";

    /// <inheritdoc/>
    void ITableSearch.Search(SearchRun run)
    {
        var population = run.Starts.Select(start => start.Candidate).Distinct().ToList();
        var (probability, distance) = (FirstProbability, FirstDistance);
        for (var iteration = 0; ; iteration++)
        {
            var ratios = run.Replay(population, iteration);
            run.Iterated(ratios);
            var survivors = population.Zip(ratios).OrderByDescending(one => one.Second).Take(Survivors)
                .Select(one => one.First).ToList();
            var radius = (int)Math.Ceiling(distance);
            var rate = probability;
            var children = survivors.SelectMany(parent => Enumerable.Range(0, Children).Select(
                _ => Mutation.EachCell(run.Space, parent, rate, radius, run.Random)));
            population = [.. survivors.Concat(children).Distinct()];
            probability = Math.Max(LastProbability, probability * Decay);
            distance = Math.Max(1, distance * Decay);
        }
    }
}
