using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies;

public class BuiltinPoliciesTests
{
    public static TheoryData<string> Names => [.. BuiltinPolicies.Names];

    [Fact]
    public void They_are_the_encodings_of_the_papers_table_and_ten_more() =>
        Assert.Equal(
            [
                "2pl-star", "2pl-wait-die", "2pl-wound-wait", "auto", "callas", "chosen", "cormcc", "dirty-public",
                "ic3", "ic3-eager", "locking", "mvtso", "occ", "reserve", "sundial"
            ],
            BuiltinPolicies.Names);

    [Theory]
    [MemberData(nameof(Names))]
    public void Each_has_the_name_of_its_file_a_description_and_a_rule(string name)
    {
        var document = BuiltinPolicies.Get(name).Document;
        Assert.Equal(name, document.Name);
        Assert.NotEmpty(document.Description);
        Assert.Contains(document.Rule, PolicyRules.Names);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Each_is_written_in_the_canonical_form(string name)
    {
        using var stream = typeof(BuiltinPolicies).Assembly.GetManifestResourceStream($"policies/{name}.json")!;
        Assert.Equal(new StreamReader(stream).ReadToEnd(), PolicyWriter.Write(BuiltinPolicies.Get(name).Document));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Each_compiles_before_and_after_sites_are_seen(string name)
    {
        var registry = new SiteRegistry();
        var store = new PolicyStore(registry, BuiltinPolicies.Get(name));
        _ = store.Current;
        foreach (var key in new[] { Samples.Withdraw, Samples.Balance, Samples.Deposit, Samples.Note })
        {
            var site = registry.GetOrAddSite(key);
            Assert.Equal(name, store.Current.Name);
            Assert.True(store.Current.PositionOf(site.Id) >= 0);
        }
    }

    [Theory]
    [InlineData("reserve", PolicyAdmission.DryRunReserve)]
    [InlineData("auto", PolicyAdmission.Auto)]
    [InlineData("locking", PolicyAdmission.Run)]
    internal void Each_lets_all_types_in_alike_seen_or_not(string name, PolicyAdmission admission)
    {
        var registry = new SiteRegistry();
        var table = BuiltinPolicies.Get(name).Compile(registry, 1);
        Assert.Equal(admission, table.AdmissionOf(0));
        var site = registry.GetOrAddSite(Samples.Withdraw);
        table = BuiltinPolicies.Get(name).Compile(registry, 2);
        Assert.Equal((admission, admission), (table.AdmissionOf(site.TypeId), table.AdmissionOf(int.MaxValue)));
        Assert.Equal(admission != PolicyAdmission.Run, table.HasAdmissions);
    }

    [Fact]
    public void Only_cormcc_tells_hot_participants_apart_and_locks_those()
    {
        var table = BuiltinPolicies.Get("cormcc").Compile(new SiteRegistry(), 1);
        Assert.Equal(PolicyActions.WaitForHolders, table.HotRowOf(0, 0).Actions);
        Assert.Equal(
            ["cormcc"],
            BuiltinPolicies.All.Where(policy => policy.Compile(new SiteRegistry(), 1).HasHeat)
                .Select(policy => policy.Name));
    }

    [Theory]
    [InlineData("occ", PolicyActions.None, PolicyTable.NoWait)]
    [InlineData("locking", PolicyActions.WaitForHolders, PolicyTable.NoWait)]
    [InlineData("2pl-wait-die", PolicyActions.WaitForHolders | PolicyActions.Die, PolicyTable.NoWait)]
    [InlineData("2pl-wound-wait", PolicyActions.WaitForHolders | PolicyActions.Wound, PolicyTable.NoWait)]
    [InlineData(
        "2pl-star",
        PolicyActions.HasWaits | PolicyActions.WritePublic | PolicyActions.EarlyValidation,
        PolicyTable.UntilSealed)]
    [InlineData("reserve", PolicyActions.ReadDirty, PolicyTable.NoWait)]
    [InlineData("auto", PolicyActions.ReadDirty | PolicyActions.WritePublic, PolicyTable.NoWait)]
    [InlineData("cormcc", PolicyActions.None, PolicyTable.NoWait)]
    [InlineData("dirty-public", PolicyActions.ReadDirty | PolicyActions.WritePublic, PolicyTable.NoWait)]
    internal void The_uniform_ones_do_the_same_at_every_site_seen_or_not(string name, PolicyActions actions, int wait)
    {
        var registry = new SiteRegistry();
        var site = registry.GetOrAddSite(Samples.Withdraw);
        var table = BuiltinPolicies.Get(name).Compile(registry, 1);
        foreach (var row in new[]
        {
            table.RowOf(site.Id, site.TypeId), table.RowOf(int.MaxValue, site.TypeId),
            table.RowOf(int.MaxValue, int.MaxValue)
        })
        {
            Assert.Equal(actions, row.Actions);
            Assert.Equal(wait, table.WaitOf(row, site.TypeId));
            Assert.Equal(wait, table.WaitOf(row, int.MaxValue));
        }
    }

    [Theory]
    [InlineData("tictoc", "occ")]
    [InlineData("silo", "occ")]
    [InlineData("callas-rp", "ic3")]
    [InlineData("drp", "ic3")]
    [InlineData("tebaldi", "callas")]
    public void Algorithms_that_share_a_row_of_the_papers_table_are_found_by_either_name(string other, string name) =>
        Assert.Same(BuiltinPolicies.Get(name), BuiltinPolicies.Get(other));

    [Fact]
    public void An_unknown_name_is_answered_with_the_valid_ones()
    {
        var e = Assert.Throws<ArgumentException>(() => BuiltinPolicies.Get("calvin"));
        Assert.Contains("\"calvin\"", e.Message);
        Assert.All(BuiltinPolicies.Names, name => Assert.Contains(name, e.Message));
        Assert.Null(BuiltinPolicies.Find("calvin"));
    }
}
