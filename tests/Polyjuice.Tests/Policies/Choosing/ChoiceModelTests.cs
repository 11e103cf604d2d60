using System.Text;
using System.Text.Json;
using Polyjuice.Agents;
using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Choosing;

public class ChoiceModelTests
{
    private const string Text = """
        {
          "features": ["x"],
          "tables": [
            { "name": "occ", "bias": -1, "trees": [] },
            { "name": "locking", "trees": [
              { "feature": [0], "atMost": [0.5], "left": [-1], "right": [-2], "leaf": [-2, 0.25] },
              { "feature": [], "atMost": [], "left": [], "right": [], "leaf": [-0.25] }
            ] }
          ]
        }
        """;

    [Fact]
    public void A_tables_guess_is_its_bias_and_the_sum_of_its_trees()
    {
        var model = Read(Text);
        Assert.Equal([-1, -2.25], model.Guess([0.5f]));
        Assert.Equal([-1, 0], model.Guess([0.6f]));
    }

    [Theory]
    [InlineData("-2], \"leaf", "1], \"leaf")]
    [InlineData("\"feature\": [0]", "\"feature\": [1]")]
    public void A_broken_tree_is_refused_with_its_tables_name(string right, string wrong) =>
        Assert.Contains(
            "locking",
            Assert.Throws<JsonException>(() => Read(Text.Replace(right, wrong, StringComparison.Ordinal))).Message,
            StringComparison.Ordinal);

    [Fact]
    public void A_model_without_tables_is_refused() =>
        Assert.Throws<JsonException>(() => Read("""{ "features": [], "tables": [] }"""));

    [Fact]
    public void The_one_that_comes_with_the_library_is_of_built_in_tables_and_of_the_features_that_there_are()
    {
        var model = ChoiceModel.Shipped;
        Assert.Equal(LoadFeatures.Names(model.Tables.Select(table => table.Name)), model.Features);
        Assert.Equal("occ", model.Tables[0].Name);
        Assert.InRange(model.Tables.Count, 2, 16);
        Assert.All(model.Tables, table => Assert.NotNull(BuiltinPolicies.Find(table.Name)));
        Assert.All(model.Tables, table => Assert.NotEmpty(table.Trees));
    }

    private static ChoiceModel Read(string text) => ChoiceModel.Read(new MemoryStream(Encoding.UTF8.GetBytes(text)));
}
