using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;

namespace Polyjuice.Tests.Policies.Text;

public class PolicyDiffTests
{
    [Fact]
    public void A_policy_does_what_it_does_under_another_name()
    {
        var renamed = Samples.Bank with { Name = "other", Description = "Something else.", Provenance = [] };
        Assert.Empty(PolicyDiff.Compare(Samples.Bank, renamed));
        Assert.Equal("bank and other do the same everywhere.\n", PolicyDiff.Render(Samples.Bank, renamed));
    }

    [Fact]
    public void Cells_that_changed_are_named_with_both_values()
    {
        var balance = Samples.Bank.Find("Balance")!;
        var row = balance.Rows[0];
        var changed = Samples.Bank with
        {
            Types =
            [
                Samples.Bank.Types[0],
                balance with
                {
                    Rows =
                    [
                        row with { Cells = row.Cells with { Read = ReadVersion.Clean, Waits = PolicyWaits.AllSealed } }
                    ]
                }
            ],
        };
        Assert.Equal(
            [
                new($"Balance: {Samples.Balance.Name}", "read", "dirty", "clean"),
                new($"Balance: {Samples.Balance.Name}", "wait for Transfer", Samples.Withdraw.Name, "sealed"),
                new($"Balance: {Samples.Balance.Name}", "wait for Balance", "no", "sealed"),
                new($"Balance: {Samples.Balance.Name}", "wait for others", "no", "sealed"),
            ],
            PolicyDiff.Compare(Samples.Bank, changed));
        Assert.Contains("4 cells differ in 1 places.", PolicyDiff.Render(Samples.Bank, changed));
    }

    [Fact]
    public void Voided_waits_are_no_waits()
    {
        var transfer = Samples.Bank.Types[0];
        var rows = transfer.Rows.Select(
            r => r.Site == Samples.Deposit.Name
                ? r with { Cells = r.Cells with { Waits = PolicyWaits.None, WaitsOff = false } }
                : r);
        Assert.Empty(
            PolicyDiff.Compare(
                Samples.Bank,
                Samples.Bank with { Types = [transfer with { Rows = [.. rows] }, Samples.Bank.Types[1]] }));
    }

    [Fact]
    public void Types_and_sites_that_only_one_has_are_named()
    {
        var catalogue = Samples.Bank.Catalogue;
        var fewer = Samples.Bank with
        {
            Catalogue = catalogue with
            {
                Types = [catalogue.Types[0] with { Sites = [catalogue.Types[0].Sites[0], catalogue.Types[0].Sites[1]] }]
            },
            Types =
            [
                Samples.Bank.Types[0] with { Rows = [Samples.Bank.Types[0].Rows[0], Samples.Bank.Types[0].Rows[1]] }
            ],
        };
        var found = PolicyDiff.Compare(Samples.Bank, fewer);
        Assert.Contains(new("Balance", "type", "present", "absent"), found);
        Assert.Contains(new($"Transfer: {Samples.Note.Name}", "position", "3", "absent"), found);
    }

    [Fact]
    public void A_policy_without_a_catalogue_is_spelled_out_over_the_others()
    {
        var occ = BuiltinPolicies.Get("occ").Document;
        var same = new DocumentPolicy(occ with { Catalogue = ArtifactWorkloads.Get("tpcc") }).Materialize();
        Assert.Empty(PolicyDiff.Compare(same, occ));
        Assert.Contains(
            PolicyDiff.Compare(same, BuiltinPolicies.Get("ic3").Document), d => d.Cell == "wait for Payment");
    }

    [Fact]
    public void Rules_differ_even_when_there_is_no_catalogue_to_show_it() => Assert.Contains(
        new("policy", "rule", "ic3", "uniform"),
        PolicyDiff.Compare(BuiltinPolicies.Get("ic3").Document, BuiltinPolicies.Get("dirty-public").Document));
}
