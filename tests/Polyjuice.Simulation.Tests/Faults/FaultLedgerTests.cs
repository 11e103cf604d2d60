using Polyjuice.Simulation.Faults;

namespace Polyjuice.Simulation.Tests.Faults;

public class FaultLedgerTests
{
    [Fact]
    public void Faults_are_counted_by_kind_until_the_budget_is_used_up()
    {
        var ledger = new FaultLedger { Budget = 2 };
        Assert.True(ledger.TryEnter(FaultKinds.Loss));
        Assert.True(ledger.TryEnter(FaultKinds.Crash));
        Assert.False(ledger.TryEnter(FaultKinds.Loss));
        Assert.Equal(2, ledger.Total);
        Assert.Equal(1, ledger[FaultKinds.Loss]);
        Assert.Equal(0, ledger[FaultKinds.Delay]);
    }
}
