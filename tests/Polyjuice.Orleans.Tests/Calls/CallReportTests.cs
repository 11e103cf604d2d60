using Orleans.Transactions;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class CallReportTests
{
    [Fact]
    public void A_report_is_taken_out_of_the_answer_that_brought_it()
    {
        var info = new TransactionInfo(Guid.NewGuid(), DateTime.UtcNow, DateTime.UtcNow);
        var answer = CallReport.Add(info, [1, 2, 3]);
        Assert.Equal(info.TransactionId, answer.TransactionId);
        Assert.Equal([1, 2, 3], CallReport.Take(answer));
        Assert.Empty(answer.Participants);
        Assert.Null(CallReport.Take(answer));
    }

    [Fact]
    public void The_report_of_a_later_run_is_in_an_answer_of_its_own()
    {
        var info = new TransactionInfo(Guid.NewGuid(), DateTime.UtcNow, DateTime.UtcNow);
        var (first, second) = (CallReport.Add(info, [1, 2, 3]), CallReport.Add(info, [4]));
        Assert.Equal([4], CallReport.Take(second));
        Assert.Equal([1, 2, 3], CallReport.Take(first));
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
