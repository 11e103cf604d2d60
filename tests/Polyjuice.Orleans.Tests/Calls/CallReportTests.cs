using Orleans.Transactions;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class CallReportTests
{
    [Fact]
    public void A_report_is_taken_out_of_the_answer_that_brought_it()
    {
        var info = new TransactionInfo(Guid.NewGuid(), DateTime.UtcNow, DateTime.UtcNow);
        CallReport.Add(info, [1, 2, 3]);
        Assert.Equal([1, 2, 3], CallReport.Take(info));
        Assert.Empty(info.Participants);
        Assert.Null(CallReport.Take(info));
    }

    [Fact]
    public void The_report_of_a_later_run_takes_the_place_of_an_earlier_one()
    {
        var info = new TransactionInfo(Guid.NewGuid(), DateTime.UtcNow, DateTime.UtcNow);
        CallReport.Add(info, [1, 2, 3]);
        CallReport.Add(info, [4]);
        Assert.Equal([4], CallReport.Take(info));
        Assert.Empty(info.Participants);
    }

    [Fact]
    public void What_others_say_in_an_answer_stays()
    {
        var info = new TransactionInfo(Guid.NewGuid(), DateTime.UtcNow, DateTime.UtcNow);
        info.RecordRead(new ParticipantId("balance", null!, ParticipantId.Role.Resource), DateTime.UtcNow);
        Assert.Null(CallReport.Take(info));
        Assert.Single(info.Participants);
    }
}
