using Orleans;
using Polyjuice.Benchmarking.Load;
using Polyjuice.Benchmarking.Workloads;
using Tpcc.Loading;
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
        var shares = Enumerable.Range(0, Draws).Select(_ => terminal.Choose().Type).CountBy(type => type).ToDictionary(c => c.Key, c => 100.0 * c.Value / Draws);
        double[] expected = [45, 43, 4, 4, 4];
        for (var type = 0; type < expected.Length; type++) Assert.InRange(shares[type], expected[type] * 0.9, expected[type] * 1.1);
    }

    [Fact]
    public void One_line_in_a_hundred_is_supplied_elsewhere_and_one_order_in_a_hundred_names_an_unused_item_last()
    {
        var terminal = NewTerminal(home: 2);
        var orders = Enumerable.Range(0, Draws).Select(_ => terminal.NewOrder(3)).ToList();
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
        var payments = Enumerable.Range(0, Draws).Select(_ => terminal.Payment(1)).ToList();
        Assert.InRange(payments.Count(payment => payment.Customer.Warehouse != 1) / (double)Draws, 0.14, 0.16);
        Assert.InRange(payments.Count(payment => payment.Customer.Last is not null) / (double)Draws, 0.58, 0.62);
        Assert.All(payments.Where(payment => payment.Customer.Warehouse == 1), payment => Assert.Equal(payment.District, payment.Customer.District));
        Assert.All(payments, payment => Assert.InRange(payment.AmountCents, 1_00, 5_000_00));
    }

    [Fact]
    public void With_one_warehouse_nothing_is_remote()
    {
        var terminal = NewTerminal(home: 0, new DatabaseSize(1, 0.01));
        Assert.All(Enumerable.Range(0, 1_000), _ => Assert.All(terminal.NewOrder(1).Lines, line => Assert.Equal(1, line.SupplyWarehouse)));
        Assert.All(Enumerable.Range(0, 1_000), _ => Assert.Equal(1, terminal.Payment(1).Customer.Warehouse));
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

    private static Terminal NewTerminal(int? home, DatabaseSize? size = null, bool hasThinkTimes = false) => new(
        new WorkloadCluster(null!, _ => 0, 1), size ?? _size, new NonUniform(size ?? _size, 1), new BenchmarkRandom(5), home, hasThinkTimes);
}
