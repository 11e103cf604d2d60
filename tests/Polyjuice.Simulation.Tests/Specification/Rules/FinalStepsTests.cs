using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Wire;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification.Rules;

public class FinalStepsTests
{
    private const string Rule = "final step";

    private readonly Trace _trace = new();

    public FinalStepsTests() => _trace.Specification.Accept(new FinalStepExpected(T(1)));

    [Fact]
    public void It_is_taken_once_when_all_have_voted()
    {
        _trace.Prepare(1, 100);
        Refused(Rule, Take);
        _trace.Vote(1, 100);
        Take();
        Refused(Rule, Take);
    }

    [Fact]
    public void It_is_taken_when_what_it_depends_on_has_committed()
    {
        _trace.Prepare(2, 90);
        _trace.Access(1, 0, 1);
        _trace.Order(1, 0, 100, Update(0, Version(2), 1, 100), parts: [0, 1], dependencies: [2]);
        _trace.Order(1, 1, 100, Update(1, Version(2), 1, 100), parts: [0, 1], dependencies: [2]);
        _trace.Write(0, _trace.PrepareRecord(1, 100, Version(2), 0, parts: [0, 1], dependencies: [2]));
        _trace.Write(1, _trace.PrepareRecord(1, 100, Version(2), 1, parts: [0, 1], dependencies: [2]));
        _trace.Say(0, _trace.VoteOf(1, 0, 100, dependencies: [2]));
        _trace.Say(1, _trace.VoteOf(1, 1, 100, dependencies: [2]));
        Refused(Rule, Take);
        _trace.Commit(2, 90);
        Take();
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void It_commits_when_the_service_has_agreed_and_not_before(bool isTaken, bool isRefused)
    {
        _trace.Prepare(1, 100);
        _trace.Vote(1, 100);
        if (isTaken) Take();
        if (isRefused) Answer(agrees: false);
        Refused(Rule, () => _trace.Write(0, CommitRecord(1, 100, [0, 1], acknowledge: [1])));
    }

    [Theory]
    [InlineData(null)]
    [InlineData(true)]
    [InlineData(false)]
    public void Its_manager_aborts_when_the_service_has_refused_and_not_before(bool? agrees)
    {
        _trace.Prepare(1, 100);
        _trace.Vote(1, 100);
        Take();
        if (agrees is { } answer) Answer(answer);
        void Abort() => _trace.Say(0, Word(MessageKind.Outcome, 1, 0, MessageFlags.Aborted));
        if (agrees == false) Abort();
        else Refused(Rule, Abort);
    }

    [Fact]
    public void What_the_service_agrees_to_commits()
    {
        _trace.Prepare(1, 100);
        _trace.Vote(1, 100);
        Take();
        Answer(agrees: true);
        _trace.Write(0, CommitRecord(1, 100, [0, 1], acknowledge: [1]));
    }

    private void Take() => _trace.Specification.Accept(new FinalStepTaken(First, 0, 1, T(1)));

    private void Answer(bool agrees) => _trace.Specification.Accept(new FinalStepAnswered(T(1), agrees));
}
