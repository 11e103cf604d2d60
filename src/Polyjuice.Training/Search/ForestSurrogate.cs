using Microsoft.ML;
using Microsoft.ML.Data;
using Microsoft.ML.Trainers.FastTree;

namespace Polyjuice.Training.Search;

/// <summary>
/// Guesses how a table will do by a random forest (Breiman, 2001; ML.NET's FastForest), as SMAC does (Hutter et al.,
/// 2011): the mean over the trees is the guess, and their standard deviation says how sure it is. It finds by itself
/// which cells matter, where a kernel takes all of them for equally important.
/// </summary>
internal sealed class ForestSurrogate : ISurrogate
{
    /// <summary>Of everything that the forest draws. What it has seen differs from search to search anyway.</summary>
    private const int Seed = 1;

    /// <summary>The time of a fit grows with both: with these, and TPC-C's cells, it is a second or two.</summary>
    private const int Trees = 30;
    private const int LeavesMax = 12;

    /// <summary>Few: there are some dozens of tables to learn from at first, and at most some hundreds.</summary>
    private const int LeafMin = 2;

    private readonly TableFeatures _features;
    private readonly double _mean;
    private readonly IReadOnlyList<QuantileRegressionTree> _trees;

    private ForestSurrogate(TableFeatures features, double mean, IReadOnlyList<QuantileRegressionTree> trees)
    {
        _features = features;
        _mean = mean;
        _trees = trees;
    }

    /// <inheritdoc cref="SurrogateFit"/>
    public static ForestSurrogate Fit(TableSpace space, IReadOnlyList<Standing> seen, double noise)
    {
        var features = new TableFeatures(space);

        // What was replayed more often is known better, and counts as often.
        var examples = seen.Select(standing => new Example
        {
            Features = features.Of(standing.Candidate),
            Label = (float)standing.Mean,
            Weight = standing.Depth,
        });
        var context = new MLContext(Seed);
        var schema = SchemaDefinition.Create(typeof(Example));
        schema[nameof(Example.Features)].ColumnType = new VectorDataViewType(NumberDataViewType.Single, features.Count);
        var trainer = context.Regression.Trainers.FastForest(new FastForestRegressionTrainer.Options
        {
            FeatureColumnName = nameof(Example.Features),
            LabelColumnName = nameof(Example.Label),
            ExampleWeightColumnName = nameof(Example.Weight),
            NumberOfTrees = Trees,
            NumberOfLeaves = LeavesMax,
            MinimumExampleCountPerLeaf = LeafMin,
            Seed = Seed,

            // The order in which threads add numbers up would decide about the last digits.
            NumberOfThreads = 1,
        });
        var forest = trainer.Fit(context.Data.LoadFromEnumerable(examples, schema)).Model.TrainedTreeEnsemble;
        return new ForestSurrogate(features, seen.Average(standing => standing.Mean), forest.Trees);
    }

    /// <inheritdoc/>
    public (double Mean, double Deviation) Guess(Candidate candidate)
    {
        // Where all tables are worth the same there is nothing to split by, and no tree.
        if (_trees.Count == 0) return (_mean, 0);
        var features = _features.Of(candidate);
        var guesses = _trees.Select(tree => LeafOf(tree, features)).ToArray();
        var mean = guesses.Average();
        return (mean, Math.Sqrt(guesses.Sum(guess => (guess - mean) * (guess - mean)) / guesses.Length));
    }

    /// <summary>Children from 0 are inner nodes, and others are leaves, as complements of their numbers.</summary>
    private static double LeafOf(QuantileRegressionTree tree, float[] features)
    {
        var node = 0;
        while (node >= 0)
        {
            node = features[tree.NumericalSplitFeatureIndexes[node]] <= tree.NumericalSplitThresholds[node]
                ? tree.LeftChild[node]
                : tree.RightChild[node];
        }

        return tree.LeafValues[~node];
    }

    private sealed class Example
    {
        public float[] Features { get; init; } = [];

        public float Label { get; init; }

        public float Weight { get; init; }
    }
}
