using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies;

public sealed class PolicyTypesTests
{
    // As code makes it: a file names all of its types in its catalogue.
    private static readonly DocumentPolicy _policy = new(new PolicyDocument
    {
        Name = "bank", Rule = PolicyRules.Uniform,
        Groups = [new TypeGroup { Types = ["IBank.Pay"] }, new TypeGroup { Types = ["IBank.Grouped"] }],
        Default = PolicyCells.Plain with
        {
            Waits = Sealed("IBank.WaitedFor"),
            Heat = PolicyCells.Plain with { Waits = Sealed("IBank.WaitedForInHeat") },
        },
        Types = [new TypePolicy { Type = "IBank.Pay" }, new TypePolicy { Type = "IBnk.Audit" }],
    });

    [Fact]
    public void Types_are_named_by_rows_groups_and_waits() => Assert.Equal(
        ["IBank.Grouped", "IBank.Pay", "IBank.WaitedFor", "IBank.WaitedForInHeat", "IBnk.Audit"],
        PolicyTypes.NamedBy(_policy.Document).Order(StringComparer.Ordinal));

    [Fact]
    public void A_catalogue_names_its_types()
    {
        const string Catalogue = """
            { "schema": 1, "name": "bank", "rule": "ic3", "catalogue": { "version": 1, "types": [
              { "type": "IBank.Pay", "sites": [ { "site": "IBank.Pay Bank.money update", "state": "Bank.money", "kind": "update" } ] } ] } }
            """;

        Assert.Equal(["IBank.Pay"], PolicyTypes.NamedBy(PolicyReader.Parse(Catalogue, "bank.json")));
    }

    [Fact]
    public void Those_that_nobody_can_start_are_told_with_what_may_be_meant()
    {
        var unknown = PolicyTypes.UnknownIn(
            _policy,
            new Known("IBank.Pay", "IBank.Audit", "IBank.Grouped", "IBank.WaitedFor", "IBank.WaitedForInHeat"));

        Assert.Equal([new UnknownType("IBnk.Audit", "IBank.Audit")], unknown);
        Assert.Equal("IBnk.Audit (is it IBank.Audit?)", unknown[0].ToString());
    }

    [Fact]
    public void A_built_in_policy_names_none()
    {
        foreach (var name in BuiltinPolicies.Names)
            Assert.Empty(PolicyTypes.UnknownIn(BuiltinPolicies.Get(name), new Known()));
    }

    private static PolicyWaits Sealed(string type) => new(WaitCell.No, [new(type, WaitCell.Sealed)]);

    private sealed class Known(params string[] names) : ITransactionTypes
    {
        public IReadOnlyCollection<string> Names => names;

        public bool Has(string type) => names.Contains(type);
    }
}
