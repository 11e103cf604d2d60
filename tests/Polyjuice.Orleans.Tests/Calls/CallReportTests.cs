using Orleans.Transactions;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class CallReportTests
{
    [Fact]
    public void A_report_is_taken_out_of_the_answer_that_brought_it()
    {
        var info = new TransactionInfo(Guid.NewGuid(), DateTime.UtcNow, DateTime.UtcNow);
        CallReport.Add(info, "polyjuice:" + Convert.ToBase64String([1, 2, 3]));
        Assert.Equal([1, 2, 3], CallReport.Take(info));
        Assert.Empty(info.Participants);
        Assert.Null(CallReport.Take(info));
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
