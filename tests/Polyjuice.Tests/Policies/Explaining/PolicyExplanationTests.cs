using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Policies.Explaining;

public class PolicyExplanationTests
{
    [Fact]
    public void What_is_everywhere_is_said_once_and_the_rest_in_the_order_of_the_sites()
    {
        var text = PolicyExplanation.Of(Teller.Learned, [Teller.BuiltIn("ic3"), Teller.BuiltIn("occ")]).Render();

        Assert.Equal(
            """
            mine, compared with ic3 and occ

            Everywhere
              It exposes its writes at once and does not wait for holders.
              By site and type differ: the version read, early validation, waits for dependencies and backoff.
              Where no backoff is told, it backs off ×2 after an abort, ÷2 after a commit.
              ic3 reads dirty versions and backs off ×2 after an abort, ÷2 after a commit.
              occ reads clean versions, keeps its writes private, validates at commit only, waits for nobody and backs
                off ×2 after an abort, ÷2 after a commit.

            ITeller.Pay, 3 sites
              It backs off ×9, ×2 and ×5 after a first, second and later abort, ÷2 after a commit.
              All sites: reads dirty versions.
              Site 2 (balance update): validates early; waits for Pay until its site 2 (balance update).
              Site 3 (log update): waits for Pay until its last site.
              ic3, all sites after the first: waits for Get until its last site.
              ic3, site 1 (balance update): keeps its writes private.

            IAccount.Get, 1 site
              Site 1 (balance read): reads clean versions.

            What it expects
              Versions are read before they are sealed: it expects that who exposes them seldom aborts, because an abort
                takes along who has read them.
              Pay waits for another Pay (met at balance) until its site 2 (balance update) or its last site: it expects
                to meet it again at balance and log.

            """.ReplaceLineEndings("\n"),
            text);
    }

    [Fact]
    public void A_table_that_does_the_same_is_named_and_no_more_is_said_of_it()
    {
        var explanation = PolicyExplanation.Of(Teller.Learned, [Teller.Learned with { Name = "other" }]);

        Assert.Contains("other does the same everywhere.", explanation.Sentences("Everywhere"));
        Assert.Equal(2, explanation.Sections.Count(section => section.Sentences.Contains("other does the same.")));
        Assert.DoesNotContain(explanation.Sections, section =>
            section.Sentences.Any(text => text.StartsWith("other, ", StringComparison.Ordinal)));
    }

    [Fact]
    public void A_type_that_does_what_another_tables_does_is_told_by_that()
    {
        var changed =
            Teller.Learned with { Name = "other",
            Types = [Teller.Learned.Types[0],
            Teller.Learned.Types[1] with { Backoff = new PolicyBackoff([1, 1, 1], [0, 0, 0]) }] };
        var explanation = PolicyExplanation.Of(Teller.Learned, [changed]);

        Assert.Equal(["It does what other does."], explanation.Sentences("ITeller.Pay, 3 sites"));
        Assert.Equal(
            ["Site 1 (balance read): reads clean versions.", "other backs off ×1 after an abort, ÷2 after a commit."],
            explanation.Sentences("IAccount.Get, 1 site"));
        Assert.DoesNotContain(explanation.Sentences(PolicyExplanation.ExpectationsHeading), text =>
            text.StartsWith("Pay waits", StringComparison.Ordinal));
    }

    [Fact]
    public void Types_of_which_the_same_is_said_share_a_section()
    {
        CatalogueType Type(string name) =>
            new() { Name = name, Sites = [new($"{name} {name}.state update", $"{name}.state", AccessKind.Update)] };
        var table =
            Teller.BuiltIn("occ") with { Name = "mine",
            Catalogue = new SiteCatalogue { Version = 1, Types = [Type("A.Run"), Type("B.Run"), Type("C.Run")] } };

        var explanation = PolicyExplanation.Of(table, []);

        Assert.Equal(["What it does everywhere, and no more."], explanation.Sentences("A.Run, B.Run and C.Run"));
    }

    [Fact]
    public void Sites_that_do_the_same_are_told_together_though_others_lie_between_them()
    {
        var waits = new PolicyCells { Waits = PolicyWaits.AllSealed };
        var explanation = PolicyExplanation.Of(Teller.Table(waits, PolicyCells.Plain, waits, PolicyCells.Plain), []);

        Assert.Equal(["Sites 1 and 3 (balance, log): waits until all it depends on are sealed."],
            explanation.Sentences("ITeller.Pay, 3 sites"));
    }

    [Fact]
    public void Another_one_that_waits_for_nobody_at_a_site_is_told_in_a_word()
    {
        var other = Teller.Learned with { Name = "other", Types = [Rows(Teller.HandedOn), Teller.Learned.Types[1]] };
        var explanation =
            PolicyExplanation.Of(
            Teller.Learned with { Types =
            [Rows(Teller.HandedOn with { Waits = PolicyWaits.AllSealed }), Teller.Learned.Types[1]] }, [other]);

        Assert.Contains("other, site 2 (balance update): waits for nobody.",
            explanation.Sentences("ITeller.Pay, 3 sites"));

        TypePolicy Rows(PolicyCells put) => Teller.Learned.Types[0] with
        {
            Rows = [Teller.Learned.Types[0].Rows[0], new(Teller.Put, put), Teller.Learned.Types[0].Rows[2]],
        };
    }

    [Fact]
    public void A_policy_without_a_catalogue_has_nothing_to_be_told_of()
    {
        var explanation = PolicyExplanation.Of(Teller.BuiltIn("ic3"), [Teller.BuiltIn("occ")]);

        Assert.Equal(["No access site is known, so there is nothing to say of its rows."],
            Assert.Single(explanation.Sections).Sentences);
    }

    [Fact]
    public void Types_that_did_not_run_are_left_out_and_named()
    {
        var ran = new SiteCatalogue { Version = 1, Types = [Teller.Catalogue.Types[0]] };
        var explanation = PolicyExplanation.Of(Teller.Learned, [Teller.BuiltIn("ic3")], ran);

        Assert.Equal(["Everywhere", "ITeller.Pay, 3 sites", PolicyExplanation.ExpectationsHeading],
            explanation.Sections.Select(section => section.Heading));
        Assert.Contains("Of the table, these types did not run in the trace, and are left out here: IAccount.Get.",
            explanation.Sentences(PolicyExplanation.ExpectationsHeading));
        Assert.DoesNotContain("for Get", explanation.Render(), StringComparison.Ordinal);
    }

    [Fact]
    public void More_of_what_it_expects_comes_last()
    {
        var explanation = PolicyExplanation.Of(Teller.Learned, []).Expecting(["It was trained on Monday."]);

        Assert.Equal("It was trained on Monday.", explanation.Sections[^1].Sentences[^1]);
    }

    [Fact]
    public void Every_built_in_policy_is_told_over_every_workload_of_the_artifact_in_short_lines()
    {
        foreach (var workload in ArtifactWorkloads.Names)
        {
            foreach (var policy in BuiltinPolicies.All)
            {
                var table = policy.Document with { Catalogue = ArtifactWorkloads.Get(workload) };
                var text = PolicyExplanation.Of(table, [Teller.BuiltIn("ic3"), Teller.BuiltIn("occ")]).Render();
                Assert.All(text.Split('\n'), line => Assert.InRange(line.Length, 0, WrappedText.WidthMax));
            }
        }
    }

    [Fact]
    public void Any_policy_does_the_same_as_itself_and_can_be_compared_with_any_other() =>
        Prop.ForAll(Gen.Choose(0, int.MaxValue - 1).ToArbitrary(), seed =>
    {
        var (one, two) = (RandomPolicies.Document(seed), RandomPolicies.Document(seed ^ 1));
        var explanation = PolicyExplanation.Of(one, [one with { Name = "itself" }, two]);

        var known = one.Catalogue.Types.Any(type => type.Sites.Count > 0);
        var sentences = explanation.Sections.SelectMany(section => section.Sentences).ToList();
        Assert.Equal(known, sentences.Contains("itself does the same everywhere."));
        Assert.All(sentences, text => Assert.EndsWith(".", text, StringComparison.Ordinal));
    }).Holds();
}
