using Microsoft.ML;
using Microsoft.ML.Data;
using Microsoft.ML.Trainers.FastTree;
using Polyjuice.Agents;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Choosing;

/// <summary>
/// Fits a model of choices: for each table gradient-boosted regression trees (Friedman, 2001; ML.NET's FastTree).
/// </summary>
internal static class ChoiceFit
{
    private const int Seed = 1;
    private const int Trees = 60;
    private const int LeavesMax = 8;
    private const int LeafMin = 12;
    private const double LearningRate = 0.1;

    /// <summary>
    /// How far behind the best a table is counts up to this: which of two bad ones is worse decides nothing.
    /// </summary>
    private const double BehindMax = -1.5;

    /// <summary>Fits one.</summary>
    /// <param name="tables">The tables to choose among.</param>
    /// <param name="settings">What to learn from.</param>
    public static ChoiceModel Fit(IReadOnlyList<string> tables, IReadOnlyList<ChoiceSetting> settings)
    {
        var names = LoadFeatures.Names(tables);
        return new()
        {
            Features = names,
            Tables = [.. tables.Select((table, index) => Of(table, Train(names.Count, Examples(settings, index))))],
        };
    }

    /// <summary>What ML.NET itself predicts of examples, to compare with.</summary>
    internal static (ChoiceTable Exported, IReadOnlyList<float> Predicted) FitOne(
        int features, IReadOnlyList<(float[] Features, float Label)> examples)
    {
        var context = new MLContext(Seed);
        var data = DataOf(context, features, examples);
        var trained = TrainerOf(context).Fit(data);
        var predicted = trained.Transform(data).GetColumn<float>("Score").ToArray();
        return (Of("one", trained.Model), predicted);
    }

    private static IReadOnlyList<(float[] Features, float Label)> Examples(
        IReadOnlyList<ChoiceSetting> settings, int table) =>
    [
        .. settings.SelectMany(setting => setting.Features.SelectMany(round => round)
            .Select(features => (features, (float)Math.Max(BehindMax, setting.Relative[table])))),
    ];

    private static FastTreeRegressionModelParameters Train(
        int features, IReadOnlyList<(float[] Features, float Label)> examples)
    {
        var context = new MLContext(Seed);
        return TrainerOf(context).Fit(DataOf(context, features, examples)).Model;
    }

    private static FastTreeRegressionTrainer TrainerOf(MLContext context) =>
        context.Regression.Trainers.FastTree(new FastTreeRegressionTrainer.Options
        {
            FeatureColumnName = nameof(Example.Features),
            LabelColumnName = nameof(Example.Label),
            NumberOfTrees = Trees,
            NumberOfLeaves = LeavesMax,
            MinimumExampleCountPerLeaf = LeafMin,
            LearningRate = LearningRate,
            FeatureFraction = 0.7,
            BaggingSize = 1,
            BaggingExampleFraction = 0.7,
            Seed = Seed,

            // The order in which threads add numbers up would decide about the last digits.
            NumberOfThreads = 1,
        });

    private static IDataView DataOf(
        MLContext context, int features, IReadOnlyList<(float[] Features, float Label)> examples)
    {
        var schema = SchemaDefinition.Create(typeof(Example));
        schema[nameof(Example.Features)].ColumnType = new VectorDataViewType(NumberDataViewType.Single, features);
        return context.Data.LoadFromEnumerable(
            examples.Select(one => new Example { Features = one.Features, Label = one.Label }), schema);
    }

    private static ChoiceTable Of(string name, FastTreeRegressionModelParameters trained)
    {
        var ensemble = trained.TrainedTreeEnsemble;
        return new()
        {
            Name = name,
            Bias = ensemble.Bias,
            Trees = [.. ensemble.Trees.Select((tree, i) => Of(tree, ensemble.TreeWeights[i]))],
        };
    }

    private static Polyjuice.Policies.RegressionTree Of(
        Microsoft.ML.Trainers.FastTree.RegressionTree tree, double weight) => new()
    {
        Feature = [.. tree.NumericalSplitFeatureIndexes],
        AtMost = [.. tree.NumericalSplitThresholds],
        Left = [.. tree.LeftChild],
        Right = [.. tree.RightChild],
        Leaf = [.. tree.LeafValues.Select(leaf => leaf * weight)],
    };

    private sealed class Example
    {
        public float[] Features { get; init; } = [];

        public float Label { get; init; }
    }
}
