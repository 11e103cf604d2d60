using Orleans.Transactions;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Tests.Workloads;

public sealed class OutcomesTests
{
    [Fact]
    public void One_that_a_silo_has_turned_away_is_overloaded_and_not_given_up()
    {
        var refusal = new OrleansStartTransactionFailedException(new OrleansTransactionOverloadException());
        Assert.Equal(OperationOutcome.Overloaded, Outcomes.Of(refusal));
        Assert.Equal(
            OperationOutcome.Aborted,
            Outcomes.Of(new OrleansStartTransactionFailedException(new InvalidOperationException("Another reason."))));
    }

    [Fact]
    public void What_the_application_refuses_is_declined_wherever_it_stands_among_the_causes()
    {
        var refusal = new OrleansTransactionAbortedException("1", "Refused.", new NotSupportedException());
        Assert.Equal(OperationOutcome.Declined, Outcomes.Of<NotSupportedException>(refusal));
    }
}
