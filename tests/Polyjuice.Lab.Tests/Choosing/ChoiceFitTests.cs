using Polyjuice.Lab.Choosing;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Tests.Choosing;

public class ChoiceFitTests
{
    [Fact]
    public void Exported_trees_predict_what_ML_NET_does()
    {
        var random = new BenchmarkRandom(1);
        List<(float[] Features, float Label)> examples = [.. Enumerable.Range(0, 400).Select(_ =>
        {
            float[] features = [.. Enumerable.Range(0, 5).Select(_ => (float)((random.NextDouble() * 20) - 10))];
            return (features, features[0] > 2 ? features[1] : features[2] * features[3] / 10);
        })];
        var (exported, predicted) = ChoiceFit.FitOne(features: 5, examples);
        Assert.True(exported.Trees.Count > 10);
        Assert.All(exported.Trees, tree => Assert.True(tree.IsWhole(features: 5)));
        Assert.True(predicted.Distinct().Count() > 50);
        foreach (var (example, prediction) in examples.Zip(
            predicted)) Assert.Equal(prediction, exported.Of(example.Features), 1e-4);
    }
}
