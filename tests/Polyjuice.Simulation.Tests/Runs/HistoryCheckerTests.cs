using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Tests.Runs;

/// <summary>
/// The checker is itself checked: it names each anomaly in a history that was made by hand to have it.
/// </summary>
public class HistoryCheckerTests
{
    private const long Opening = 100;
    private readonly List<TransactionRecord> _records = [];
    private readonly List<long>[] _accounts = [[], []];
    private long _now;

    [Fact]
    public void A_serial_history_passes()
    {
        var one = Write(1, 0);
        var two = Write(2, 0, 1);
        Tell(3, Read(0, one, two));
        Check();
    }

    [Fact]
    public void A_told_commit_that_is_missing_is_a_lost_commit()
    {
        Write(1, 0);
        _accounts[0].Clear();
        Fails("lost-commit");
    }

    [Fact]
    public void A_write_of_a_transaction_told_aborted_is_visible_abort()
    {
        Tell(1, Outcome.Aborted, Update(1, 0));
        Fails("aborted-visible");
    }

    [Fact]
    public void A_write_of_an_earlier_run_of_the_body_breaks_atomicity()
    {
        var record = Begin(1);
        record.BeginRun();
        var stale = record.LastRun!.NextToken();
        _accounts[0].Add(stale);
        var run = record.BeginRun();
        run.Completed = true;
        run.Observations = [new Observation(0, [stale], Opening, Append(run, 0), 0)];
        record.End(Outcome.Committed, ++_now);
        Fails("atomicity");
    }

    [Fact]
    public void Half_of_a_transaction_breaks_atomicity()
    {
        Write(1, 0, 1);
        _accounts[1].Clear();
        Fails("lost-commit", "atomicity");
    }

    [Fact]
    public void An_in_doubt_transaction_may_be_there_or_not_but_never_by_half()
    {
        Tell(1, Outcome.InDoubt, Update(1, 0), Update(1, 1));
        Check();
        _accounts[1].Clear();
        Fails("atomicity");
        _accounts[0].Clear();
        Check();
    }

    [Fact]
    public void Reading_what_was_aborted_is_G1a()
    {
        Tell(1, Outcome.Committed, new Observation(0, [new Token(9, 1, 1).Pack()], Opening, 0, 0));
        Fails("aborted-read");
    }

    [Fact]
    public void Reading_between_two_writes_of_one_transaction_is_G1b()
    {
        var record = Begin(1);
        var run = record.BeginRun();
        run.Completed = true;
        var first = Append(run, 0);
        var second = Append(run, 0);
        run.Observations = [new Observation(0, [], Opening, first, 0), new Observation(0, [first], Opening, second, 0)];
        record.End(Outcome.Committed, ++_now);
        Tell(2, Outcome.Committed, new Observation(0, [first], Opening, 0, 0));
        Fails("cycle");
    }

    [Fact]
    public void Two_transactions_that_read_each_others_writes_are_G1c()
    {
        var one = Begin(1);
        var two = Begin(2);
        var runOne = one.BeginRun();
        var runTwo = two.BeginRun();
        var a = Append(runOne, 0);
        var b = Append(runTwo, 1);
        End(one, runOne, new Observation(0, [], Opening, a, 0), new Observation(1, [b], Opening, 0, 0));
        End(two, runTwo, new Observation(1, [], Opening, b, 0), new Observation(0, [a], Opening, 0, 0));
        Fails("cycle");
    }

    [Fact]
    public void Two_updates_of_one_version_lose_one()
    {
        var one = Begin(1);
        var two = Begin(2);
        var runOne = one.BeginRun();
        var runTwo = two.BeginRun();
        var a = Append(runOne, 0);
        var b = Append(runTwo, 0);
        End(one, runOne, new Observation(0, [], Opening, a, 0));
        End(two, runTwo, new Observation(0, [], Opening, b, 0));
        Fails("cycle");
    }

    [Fact]
    public void Write_skew_is_a_cycle_of_anti_dependencies()
    {
        var one = Begin(1);
        var two = Begin(2);
        var runOne = one.BeginRun();
        var runTwo = two.BeginRun();
        End(one, runOne, Read(1), new Observation(0, [], Opening, Append(runOne, 0), 0));
        End(two, runTwo, Read(0), new Observation(1, [], Opening, Append(runTwo, 1), 0));
        Fails("cycle");
    }

    [Fact]
    public void A_stale_read_after_the_writer_was_told_breaks_strictness_only()
    {
        Write(1, 0);
        Tell(2, Read(0));
        Fails("strictness");
        Check(realTime: false);
    }

    [Fact]
    public void Seeing_two_versions_of_an_account_is_unrepeatable()
    {
        var token = Write(1, 0);
        Tell(2, Read(0), Read(0, token));
        Fails("unrepeatable");
    }

    [Fact]
    public void Not_seeing_ones_own_write_is_unrepeatable()
    {
        var record = Begin(1);
        var run = record.BeginRun();
        End(record, run, new Observation(0, [], Opening, Append(run, 0), 0), Read(0));
        Fails("unrepeatable");
    }

    [Fact]
    public void A_balance_that_its_history_does_not_explain_is_named()
    {
        Tell(1, Update(1, 0, delta: 5));
        Fails("balance");
    }

    [Fact]
    public void The_reads_behind_a_users_exception_must_be_a_consistent_view()
    {
        // It saw the second of two writes that were made together, and missed the first.
        var writer = Begin(1);
        var run = writer.BeginRun();
        var a = Append(run, 0);
        var b = Append(run, 1);
        End(writer, run, new Observation(0, [], Opening, a, 0), new Observation(1, [], Opening, b, 0));
        var reader = Begin(2);
        reader.BeginRun().Observations = [Read(0), Read(1, b)];
        reader.End(
            Outcome.Aborted, ++_now, new AbortInfo(AbortReason.UserException, "T"), new UserException("as read"));
        Fails("cycle");
    }

    private static Observation Read(int account, params long[] before) => new(account, before, Opening, 0, 0);

    private Observation Update(int transaction, int account, long delta = 0)
    {
        long[] before = [.. _accounts[account]];
        var token = new Token(transaction, 1, 500 + account).Pack();
        _accounts[account].Add(token);
        return new Observation(account, before, Opening, token, delta);
    }

    private long Append(BodyRun run, int account)
    {
        var token = run.NextToken();
        _accounts[account].Add(token);
        return token;
    }

    private TransactionRecord Begin(int id)
    {
        var record = new TransactionRecord(id, new TransactionSpec("T", Step.Sequence()), null!, ++_now);
        _records.Add(record);
        return record;
    }

    private void End(TransactionRecord record, BodyRun run, params Observation[] seen)
    {
        run.Completed = true;
        run.Observations = seen;
        record.End(Outcome.Committed, ++_now);
    }

    private void Tell(int id, params Observation[] seen) => Tell(id, Outcome.Committed, seen);

    private void Tell(int id, Outcome outcome, params Observation[] seen)
    {
        var record = Begin(id);
        var run = record.BeginRun();
        run.Completed = true;
        run.Observations = seen;
        record.End(outcome, ++_now, outcome == Outcome.Committed ? null : new AbortInfo(AbortReason.Validation, "T"));
    }

    private long Write(int id, params int[] accounts)
    {
        var seen = accounts.Select(a => Update(id, a)).ToArray();
        Tell(id, seen);
        return seen[0].Written;
    }

    private void Check(bool realTime = true) =>
        new HistoryChecker(
            _records, [.. _accounts.Select(a => new FinalAccount([.. a], Opening))], Opening, realTime).Check();

    private void Fails(params string[] kinds)
    {
        var failure = Assert.Throws<SimulationFailedException>(() => Check());
        Assert.Contains(failure.Kind, kinds);
    }
}
