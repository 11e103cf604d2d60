using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;

namespace Polyjuice.Tests.Policies.Rules;

public class TypeGroupingTests
{
    [Fact]
    public void For_tpcc_the_groups_are_those_of_the_papers() =>
        Assert.Equal("NewOrder Payment | Delivery", Groups(ArtifactWorkloads.Get("tpcc")));

    [Fact]
    public void The_ten_types_that_meet_at_the_hot_record_are_one_group() =>
        Assert.Equal(
            string.Join(' ', Enumerable.Range(1, 10).Select(n => $"Micro{n}")),
            Groups(ArtifactWorkloads.Get("micro")));

    [Theory]
    [InlineData("a:u b:u", "a:u b:u", "S T")]
    [InlineData("a:u b:u", "b:u a:u", "S | T")]
    [InlineData("a:r b:r", "b:u c:u", "S T")]
    [InlineData("a:u", "b:u", "S | T")]
    [InlineData("a:r", "a:r", "S | T")]
    [InlineData("a:u* b:u", "a:u", "S | T")]
    [InlineData("a:u* b:u", "a:u b:u", "S T")]
    public void Types_pipeline_if_they_meet_outside_of_loops_and_come_to_states_in_the_same_order(
        string first, string second, string expected) =>
        Assert.Equal(expected, Groups(Catalogue(("S", first), ("T", second))));

    [Fact]
    public void A_type_joins_no_group_of_which_it_crosses_a_member() =>
        Assert.Equal("S T | U", Groups(Catalogue(("S", "a:u b:u"), ("T", "a:u c:u"), ("U", "c:u a:u"))));

    [Fact]
    public void Given_groups_are_not_added_to_and_types_that_are_not_there_yet_do_not_matter()
    {
        var given = new[] { new TypeGroup { Types = ["T", "Later"] }, new TypeGroup { Types = ["U"] } };
        Assert.Equal("T | U | S V", Groups(Catalogue(("S", "a:u"), ("T", "a:u"), ("U", "a:u"), ("V", "a:u")), given));
    }

    [Theory]
    [InlineData("\"schema\": 3", "\"callas\"", "[[\"S\"]]", "write \"schema\": 4")]
    [InlineData("\"schema\": 4", "\"ic3\"", "[[\"S\"]]", "the rule \"callas\" only")]
    [InlineData("\"schema\": 4", "\"callas\"", "[\"S\"]", "groups[0]: Write an array")]
    [InlineData("\"schema\": 4", "\"callas\"", "[[]]", "groups[0]: Write an array")]
    [InlineData("\"schema\": 4", "\"callas\"", "[[1]]", "groups[0][0]: Write the name")]
    [InlineData(
        "\"schema\": 4", "\"callas\"", "[[\"S\", \"T\"], [\"S\"]]", "groups[1][0]: \"S\" is in a group already")]
    public void A_file_that_says_groups_otherwise_is_refused(string schema, string rule, string groups, string expected)
    {
        var refused = Assert.Throws<PolicyFormatException>(
            () => PolicyReader.Parse(
                $"{{ {schema}, \"name\": \"x\", \"rule\": {rule}, \"groups\": {groups}, \"default\": {{}} }}",
                "x.json"));
        Assert.Contains(expected, refused.Message);
    }

    [Fact]
    public void A_type_that_the_catalogue_lacks_is_refused_with_those_that_it_has()
    {
        var text = PolicyWriter.Write(new PolicyDocument
        {
            Name = "x",
            Rule = "callas",
            Catalogue = ArtifactWorkloads.Get("tpcc"),
            Groups = [new TypeGroup { Types = ["Refund"] }]
        });
        var refused = Assert.Throws<PolicyFormatException>(() => PolicyReader.Parse(text, "x.json"));
        Assert.Contains(
            "There is no type \"Refund\" in the catalogue. It lists: NewOrder, Payment, Delivery", refused.Message);
    }

    [Fact]
    public void Groups_are_written_and_read_back_the_same()
    {
        var document = new PolicyDocument
        {
            Name = "x", Rule = "callas",
            Groups = [new TypeGroup { Types = ["S", "T"] }, new TypeGroup { Types = ["U"] }]
        };
        var text = PolicyWriter.Write(document);
        Assert.Contains("\"groups\": [\n    [\"S\", \"T\"],\n    [\"U\"]\n  ],\n", text.Replace("]\n}", "],\n}"));
        Assert.Equal(document, PolicyReader.Parse(text, "x.json"));
        Assert.Equal("S, T | U", Assert.Single(PolicyDiff.Compare(document, document with { Groups = [] })).Left);
    }

    private static string Groups(SiteCatalogue catalogue, params TypeGroup[] given) =>
        string.Join(
            " | ",
            TypeGrouping.Of(WorkloadShape.Of(catalogue, [], []), given)
                .Select(group => string.Join(' ', group.Select(type => type.Name))));

    private static SiteCatalogue Catalogue(params (string Type, string Sites)[] types) => new()
    {
        Version = 1,
        Types =
        [
            .. types.Select(type => new CatalogueType
            {
                Name = type.Type,
                Sites =
                [
                    .. type.Sites.Split(' ')
                    .Select(
                        (site, i) => new CatalogueSite(
                            $"s{i}",
                            site[..1],
                            site[2] == 'r' ? AccessKind.Read : AccessKind.Update,
                            site.EndsWith('*'))),
                ],
            }),
        ],
    };
}
