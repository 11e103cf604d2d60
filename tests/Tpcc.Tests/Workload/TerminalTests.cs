using Orleans;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;
using Tpcc.Schema;
using Tpcc.Workload;

namespace Tpcc.Tests.Workload;

/// <summary>What terminals draw, without a cluster to send it to.</summary>
public class TerminalTests
{
    private const int Draws = 20_000;
    private static readonly DatabaseSize _size = new(4, 0.01);

    [Fact]
    public void The_mix_is_the_standards()
    {
        var terminal = NewTerminal(home: 0);
        var shares = Enumerable.Range(0, Draws).Select(_ => terminal.Choose().Type).CountBy(type => type)
            .ToDictionary(c => c.Key, c => 100.0 * c.Value / Draws);
        double[] expected = [45, 43, 4, 4, 4];
        for (var type = 0; type < expected.Length; type++)
            Assert.InRange(shares[type], expected[type] * 0.9, expected[type] * 1.1);
    }

    [Fact]
    public void One_line_in_a_hundred_is_supplied_elsewhere_and_one_order_in_a_hundred_names_an_unused_item_last()
    {
        var terminal = NewTerminal(home: 2);
        var orders = Enumerable.Range(0, Draws).Select(_ => terminal.NewOrder(3, TpccPhase.Standard)).ToList();
        var lines = orders.SelectMany(order => order.Lines).ToList();
        Assert.InRange((double)lines.Count / Draws, 9.8, 10.2);
        Assert.InRange(lines.Count(line => line.SupplyWarehouse != 3) / (double)lines.Count, 0.008, 0.012);
        Assert.All(lines, line => Assert.InRange(line.SupplyWarehouse, 1, 4));
        Assert.All(lines, line => Assert.InRange(line.Quantity, 1, 10));
        Assert.InRange(orders.Count(order => order.Lines[^1].ItemId > _size.Items) / (double)Draws, 0.007, 0.013);
        Assert.All(orders, order => Assert.All(order.Lines[..^1], line => Assert.InRange(line.ItemId, 1, _size.Items)));
        Assert.All(orders, order => Assert.InRange(order.Lines.Length, 5, 15));
    }

    [Fact]
    public void Fifteen_payments_in_a_hundred_are_of_other_warehouses_customers_and_sixty_find_them_by_name()
    {
        var terminal = NewTerminal(home: 0);
        var payments = Enumerable.Range(0, Draws).Select(_ => terminal.Payment(1, TpccPhase.Standard)).ToList();
        Assert.InRange(payments.Count(payment => payment.Customer.Warehouse != 1) / (double)Draws, 0.14, 0.16);
        Assert.InRange(payments.Count(payment => payment.Customer.Last is not null) / (double)Draws, 0.58, 0.62);
        Assert.All(
            payments.Where(payment => payment.Customer.Warehouse == 1),
            payment => Assert.Equal(payment.District, payment.Customer.District));
        Assert.All(payments, payment => Assert.InRange(payment.AmountCents, 1_00, 5_000_00));
    }

    [Fact]
    public void With_one_warehouse_nothing_is_remote()
    {
        var terminal = NewTerminal(home: 0, new DatabaseSize(1, 0.01));
        Assert.All(
            Enumerable.Range(0, 1_000),
            _ => Assert.All(
                terminal.NewOrder(1, TpccPhase.Standard).Lines, line => Assert.Equal(1, line.SupplyWarehouse)));
        Assert.All(
            Enumerable.Range(0, 1_000),
            _ => Assert.Equal(1, terminal.Payment(1, TpccPhase.Standard).Customer.Warehouse));
    }

    [Fact]
    public void Users_key_in_and_think_as_long_as_the_standard_says_if_they_are_asked_to()
    {
        var terminal = NewTerminal(home: 0, hasThinkTimes: true);
        Assert.InRange(terminal.Choose().Pause, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(18));
        var pauses = Enumerable.Range(0, Draws).Select(_ => terminal.Choose().Pause.TotalSeconds).ToList();
        // 45% × (18 + 12) + 43% × (3 + 12) + 4% × (2 + 5 + 2 + 10 + 2 + 5)
        Assert.InRange(pauses.Average(), 20.3, 21.7);
        Assert.Equal(TimeSpan.Zero, NewTerminal(home: 0).Choose().Pause);
    }

    [Fact]
    public void A_phase_says_which_types_how_skewed_and_what_is_remote_where()
    {
        var phase = new TpccPhase(new TransactionMix(10, 20, 30, 40, 0))
        {
            Theta = 1.5, RemoteWarehouses = 2, RemotePercent = 80
        };
        var terminal = NewTerminal(home: 0, phase: phase);
        var types = Enumerable.Range(0, Draws).Select(_ => terminal.Choose().Type).CountBy(type => type)
            .ToDictionary(c => c.Key, c => 100.0 * c.Value / Draws);
        Assert.InRange(types[Mix.OrderStatus], 38, 42);
        Assert.DoesNotContain(Mix.StockLevel, types.Keys);

        var orders = Enumerable.Range(0, Draws).Select(_ => terminal.NewOrder(2, phase)).ToList();
        Assert.InRange(
            orders.Count(order => order.Lines.Any(line => line.SupplyWarehouse != 2)) / (double)Draws, 0.78, 0.82);
        Assert.InRange(
            orders.SelectMany(order => order.Lines).CountBy(line => line.ItemId)
                .Max(item => item.Value) / (double)orders.Sum(order => order.Lines.Length),
            0.35,
            0.42);
        Assert.InRange(
            Enumerable.Range(0, Draws).Count(_ => terminal.Payment(1, phase).Customer.Warehouse != 1) / (double)Draws,
            0.78,
            0.82);

        // The third warehouse keeps to itself.
        Assert.All(
            Enumerable.Range(0, 1_000),
            _ => Assert.All(terminal.NewOrder(3, phase).Lines, line => Assert.Equal(3, line.SupplyWarehouse)));
        Assert.All(Enumerable.Range(0, 1_000), _ => Assert.Equal(3, terminal.Payment(3, phase).Customer.Warehouse));
    }

    [Fact]
    public void A_mix_at_random_is_whole_and_leaves_no_type_out()
    {
        var random = new BenchmarkRandom(1);
        Assert.All(
            Enumerable.Range(0, 1_000),
            _ => Assert.All(
                TransactionMix.Any(random).ToString().Split('/'),
                percent => Assert.InRange(int.Parse(percent), 1, 96)));
        Assert.Contains(
            "50/43/4/4/4",
            Assert.Throws<ArgumentException>(() => new TransactionMix(50, 43, 4, 4, 4)).Message,
            StringComparison.Ordinal);
    }

    private static Terminal NewTerminal(
        int? home, DatabaseSize? size = null, bool hasThinkTimes = false, TpccPhase? phase = null) => new(
        new WorkloadCluster(null!, _ => 0, 1), size ?? _size, new RowChoices(size ?? _size, 1),
        () => phase ?? TpccPhase.Standard, new BenchmarkRandom(5), home, hasThinkTimes);
}
