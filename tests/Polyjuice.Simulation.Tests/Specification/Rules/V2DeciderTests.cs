using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class V2DeciderTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void A_later_epoch_writes_no_commit_record()
    {
        _trace.Prepare(1, 100);
        _trace.Vote(1, 100);
        _trace.Own(Successor, 0, 1);
        Refused("V2", () => _trace.Write(Successor, 0, CommitRecord(1, 100, [0, 1], acknowledge: [1])));
    }

    [Fact]
    public void A_later_epoch_may_record_what_an_earlier_one_has_staged()
    {
        _trace.Prepare(1, 100, staged: true);
        _trace.Vote(1, 100);
        _trace.Own(Successor, 0, 1);
        _trace.Say(
            Successor,
            0,
            new Message { Kind = MessageKind.VoteQuery, Transaction = T(1), FromPartition = 0, Round = 1 });
        _trace.Specification.Accept(new TurnEnded(Successor));
        _trace.Write(Successor, 0, CommitRecord(1, 100, [0, 1], acknowledge: [1]));
    }

    [Fact]
    public void Who_finds_what_is_staged_asks_at_once_and_does_not_call_it_unknown()
    {
        _trace.Prepare(1, 100, staged: true);
        _trace.Own(Successor, 0, 1);
        Refused(
            "V2",
            () => _trace.Say(
                Successor,
                0,
                Word(MessageKind.Outcome, 1, 0, MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown)));
        Refused("V2", () => _trace.Specification.Accept(new TurnEnded(Successor)));
    }

    [Fact]
    public void An_epoch_before_the_one_that_decides_is_silent()
    {
        _trace.Specification.Accept(new PrepareSent(_trace.PrepareOf(1, 1, 100) with { ManagerEpoch = 9 }));
        Refused(
            "V2",
            () => _trace.Say(
                0, Word(MessageKind.Outcome, 1, 0, MessageFlags.Aborted | MessageFlags.Final | MessageFlags.Unknown)));
    }

    [Fact]
    public void Who_has_no_prepare_promises_that_and_shows_that_it_is_the_owner_before_it_says_so()
    {
        var none = new Message
        {
            Kind = MessageKind.Vote,
            Transaction = T(1),
            FromPartition = 1,
            Partition = 0,
            Round = 1,
            Flags = MessageFlags.Aborted
        };
        _trace.Access(1, 1);
        Refused("V2", () => _trace.Say(1, none));
        _trace.Specification.Accept(new RoundPromised(Second, 1, T(1), 1));
        Refused("V2", () => _trace.Say(1, none));
        _trace.Specification.Accept(new RoundPromised(Second, 1, T(1), 1));
        _trace.Write(1, Record(LogRecordKind.Ceiling));
        _trace.Say(1, none);
        Refused("V2", () => _trace.Order(1, 1, 100, Update(1, default, 1, 100), parts: [0, 1]));
    }
}
