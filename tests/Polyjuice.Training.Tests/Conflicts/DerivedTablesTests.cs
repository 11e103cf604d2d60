using Polyjuice.Policies;
using Polyjuice.Training.Conflicts;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Conflicts;

public class DerivedTablesTests
{
    /// <summary>With 10 others in flight, a district meets 5 orders and 5 payments, and a stock 0.87 orders.</summary>
    private const int Clients = 11;

    private static readonly ReplayWorkload s_workload = ShopTrace.Workload();
    private static readonly IReadOnlyList<PolicyDocument> s_tables = DerivedTables.Of(s_workload, Clients);

    [Fact]
    public void A_pipeline_exposes_where_sites_meet_and_waits_for_the_last_site_that_an_access_meets()
    {
        Assert.Equal(Handed(), Row("derived-pipeline", ShopTrace.OrderDistrict));
        Assert.Equal(Handed((ShopTrace.Order, ShopTrace.OrderStock)), Row("derived-pipeline", ShopTrace.OrderStock));
        Assert.Equal(
            Handed((ShopTrace.Order, ShopTrace.OrderDistrict), (ShopTrace.Pay, ShopTrace.PayDistrict)),
            Row("derived-pipeline", ShopTrace.PayDistrict));
        Assert.Equal(PolicyCells.Plain, Row("derived-pipeline", ShopTrace.PayRate));
        Assert.Equal(PolicyCells.Plain, Row("derived-pipeline", ShopTrace.PayCustomer));
    }

    [Fact]
    public void An_order_waits_before_an_access_for_what_its_later_ones_meet()
    {
        Assert.Equal(
            Waiting((ShopTrace.Order, ShopTrace.OrderDistrict), (ShopTrace.Pay, ShopTrace.PayDistrict)),
            Row("derived-order", ShopTrace.PayCustomer).Waits);
        Assert.Equal(
            Waiting((ShopTrace.Order, ShopTrace.OrderStock)), Row("derived-order", ShopTrace.OrderStock).Waits);

        // Before its first access a transaction depends on nobody.
        Assert.Equal(PolicyWaits.None, Row("derived-order", ShopTrace.OrderDistrict).Waits);
    }

    [Fact]
    public void Where_few_are_in_flight_fewer_sites_meet_often()
    {
        // With another one: half an order and half a payment at the district, 0.09 orders at a stock.
        var few = DerivedTables.Of(s_workload, 2);

        Assert.Equal(PolicyCells.Plain, RowOf(few, "derived-pipeline-often", ShopTrace.OrderStock));
        Assert.Equal(Handed(), RowOf(few, "derived-pipeline-often", ShopTrace.OrderDistrict));
        Assert.Equal(
            Handed((ShopTrace.Order, ShopTrace.OrderStock)), RowOf(few, "derived-pipeline", ShopTrace.OrderStock));
        Assert.Equal(PolicyCells.Plain, RowOf(few, "derived-locks", ShopTrace.OrderDistrict));
    }

    [Fact]
    public void Pieces_are_pipelines_that_validate_what_they_expose_but_for_a_types_last_site()
    {
        Assert.Equal(Handed() with { EarlyValidation = true }, Row("derived-pieces", ShopTrace.OrderDistrict));
        Assert.Equal(Row("derived-pipeline", ShopTrace.OrderStock), Row("derived-pieces", ShopTrace.OrderStock));
        Assert.Equal(PolicyCells.Plain, Row("derived-pieces", ShopTrace.PayCustomer));
    }

    [Fact]
    public void Locks_stand_where_everybody_meets_and_other_sites_are_optimistic()
    {
        var waiting = new PolicyCells { WaitForHolders = true };
        Assert.Equal(waiting, Row("derived-locks", ShopTrace.OrderDistrict));
        Assert.Equal(waiting, Row("derived-locks", ShopTrace.PayDistrict));
        Assert.Equal(PolicyCells.Plain, Row("derived-locks", ShopTrace.OrderStock));
        Assert.Equal(PolicyCells.Plain, Row("derived-locks", ShopTrace.PayCustomer));
    }

    [Fact]
    public void The_same_workload_gives_the_same_tables_and_each_is_a_policy_file_with_a_row_for_every_site()
    {
        Assert.Equal(s_tables, DerivedTables.Of(ShopTrace.Workload(), Clients));
        Assert.Equal(s_tables.Count, s_tables.DistinctBy(table => table.Name).Count());
        var space = new TableSpace(s_workload, BuiltinPolicies.Get("ic3").Document, s_tables);
        foreach (var table in s_tables)
        {
            Assert.Equal(
                s_workload.Catalogue.Types.SelectMany(type => type.Sites).Select(site => site.Name),
                table.Types.SelectMany(type => type.Rows).Select(row => row.Site));
            var read = PolicyReader.Parse(
                System.Text.Encoding.UTF8.GetBytes(PolicyWriter.Write(table)), "derived.json");
            Assert.Equal(table, read);
            Assert.Equal(space.Encode(table), space.Encode(space.Decode(space.Encode(table), table.Name)));
        }
    }

    [Fact]
    public void Nobody_in_flight_beside_one_meets_anybody() => Assert.All(
        DerivedTables.Of(s_workload, 1),
        table => Assert.All(
            table.Types.SelectMany(type => type.Rows), row => Assert.Equal(PolicyCells.Plain, row.Cells)));

    [Fact]
    public void Without_a_client_there_is_nothing_to_derive() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => DerivedTables.Of(s_workload, 0));

    private static PolicyCells Row(string table, SitePlace site) => RowOf(s_tables, table, site);

    private static PolicyCells RowOf(IReadOnlyList<PolicyDocument> tables, string table, SitePlace site)
    {
        var type = s_workload.Catalogue.Types[site.Type];
        return tables.Single(one => one.Name == table).Find(type.Name)!.Find(type.Sites[site.Position].Name)!;
    }

    /// <summary>What hands a participant on at once.</summary>
    private static PolicyCells Handed(params (string Type, SitePlace Site)[] waits) => new()
    {
        Read = ReadVersion.Dirty,
        Write = WriteVisibility.Public,
        Waits = Waiting(waits),
    };

    private static PolicyWaits Waiting(params (string Type, SitePlace Site)[] waits) => new(
        WaitCell.No,
        waits.Select(wait => KeyValuePair.Create(
            wait.Type,
            WaitCell.For(s_workload.Catalogue.Types[wait.Site.Type].Sites[wait.Site.Position].Name))));
}
