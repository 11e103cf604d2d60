using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Storage;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class V1VotesTests
{
    private readonly Trace _trace = new();

    [Fact]
    public void A_vote_follows_the_prepare_record_of_its_round()
    {
        _trace.Access(1, 0, 1);
        _trace.OrderBoth(1, 100);
        Refused("V1", () => _trace.Say(0, _trace.VoteOf(1, 0, 100)));
        _trace.Write(0, _trace.PrepareRecord(1, 100, default, parts: [0, 1]));
        _trace.Say(0, _trace.VoteOf(1, 0, 100));
        Refused("V1", () => _trace.Say(0, _trace.VoteOf(1, 0, 100, round: 2)));
    }

    [Fact]
    public void A_reader_of_what_is_undecided_logs_a_prepare_too_and_names_it()
    {
        _trace.Access(1, 0);
        _trace.Access(2, 0);
        _trace.Order(1, 0, 100, Update(0, default, 1, 100));
        _trace.Order(2, 0, 110, Read(0, Version(1), 110), manager: 1, parts: [0, 1], dependencies: [1]);
        Refused("V1", () => _trace.Say(0, _trace.VoteOf(2, 0, 110, manager: 1, logged: false)));
        Refused("V1", () => _trace.Say(0, _trace.VoteOf(2, 0, 110, manager: 1, logged: false, dependencies: [1])));
    }

    [Fact]
    public void Only_votes_of_one_round_count_together()
    {
        _trace.Prepare(1, 100);
        _trace.Say(0, _trace.VoteOf(1, 0, 100));
        _trace.Order(1, 1, 110, Update(1, default, 1, 110), round: 2, parts: [0, 1]);
        _trace.Write(1, _trace.PrepareRecord(1, 110, default, 1, round: 2, parts: [0, 1]));
        _trace.Say(1, _trace.VoteOf(1, 1, 110, round: 2));
        Refused("V1", () => _trace.Write(0, CommitRecord(1, 110, [0, 1], round: 2, acknowledge: [1])));
    }

    [Fact]
    public void A_commit_is_told_when_the_record_is_durable()
    {
        _trace.Prepare(1, 100);
        _trace.Vote(1, 100);
        Refused("V1", () => _trace.Say(0, Word(MessageKind.AgentOutcome, 1, 0, MessageFlags.Committed)));
        _trace.Write(0, CommitRecord(1, 100, [0, 1], acknowledge: [1]));
        _trace.Say(0, Word(MessageKind.AgentOutcome, 1, 0, MessageFlags.Committed));
    }

    [Fact]
    public void What_was_only_read_has_committed_when_all_have_voted_for_it()
    {
        _trace.Access(1, 0);
        _trace.Order(1, 0, 100, Read(0, default, 100), manager: -1);
        Refused("V1", () => _trace.Tell(1, timestamp: 100));
        _trace.Say(0, _trace.VoteOf(1, 0, 100, manager: -1, logged: false));
        _trace.Tell(1, timestamp: 100);
    }
}
