using System.Text.Json;
using Polyjuice.Policies;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Races;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Provenance;

public sealed class TrainingProvenanceTests
{
    private readonly TrainingPlan _plan = new()
    {
        Workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2),
        Settings = new ReplaySettings
        {
            Clients = 16, NetworkMicroseconds = 1_000, AppendMicroseconds = 5_000, Warmup = 20, Measured = 60
        },
        Name = "found",
        Budget = new SearchBudget(TimeSpan.FromHours(1), 40),
        TrialReplays = 2,
    };

    [Fact]
    public void Traces_are_told_apart_by_what_they_hold()
    {
        Assert.Equal(TraceDigest.Of(SyntheticTraces.Micro()), TraceDigest.Of(SyntheticTraces.Micro()));
        Assert.NotEqual(TraceDigest.Of(SyntheticTraces.Micro(seed: 1)), TraceDigest.Of(SyntheticTraces.Micro(seed: 2)));
    }

    [Fact]
    public void Whatever_decides_a_search_is_in_its_fingerprint_and_its_budget_is_not()
    {
        var fingerprint = TrainingProvenance.FingerprintOf(_plan, "digest");

        Assert.Equal(
            fingerprint,
            TrainingProvenance.FingerprintOf(
                _plan with { Budget = new SearchBudget(TimeSpan.FromMinutes(1)), Threads = 7 }, "digest"));
        Assert.NotEqual(fingerprint, TrainingProvenance.FingerprintOf(_plan, "another"));
        Assert.NotEqual(fingerprint, TrainingProvenance.FingerprintOf(_plan with { Seed = 2 }, "digest"));
        Assert.NotEqual(
            fingerprint, TrainingProvenance.FingerprintOf(_plan with { Search = new EvolutionarySearch() }, "digest"));
        Assert.NotEqual(
            fingerprint,
            TrainingProvenance.FingerprintOf(_plan with { Settings = _plan.Settings with { Clients = 17 } }, "digest"));
        Assert.NotEqual(
            fingerprint,
            TrainingProvenance.FingerprintOf(_plan with { Objective = new ScoreObjective(1_000) }, "digest"));
        Assert.NotEqual(fingerprint, TrainingProvenance.FingerprintOf(_plan with { DerivesStarts = false }, "digest"));
    }

    [Fact]
    public void It_says_what_the_table_was_made_of_and_how_every_table_did()
    {
        var result = TableTrainer.Run(_plan, _ => { }, CancellationToken.None);

        using var json = JsonDocument.Parse(
            TrainingProvenance.Write(_plan, result, "digest", "micro", DateTimeOffset.UnixEpoch));

        var root = json.RootElement;
        Assert.Equal("digest", root.GetProperty("trace").GetProperty("sha256").GetString());
        Assert.Equal("1970-01-01T00:00:00Z", root.GetProperty("made").GetString());
        Assert.Equal(40, root.GetProperty("search").GetProperty("evaluations").GetInt64());
        var tables = root.GetProperty("heldOut").EnumerateArray()
            .Select(table => table.GetProperty("policy").GetString()).ToList();
        Assert.Equal("found", tables[0]);
        Assert.Equal(TableTrainer.StartsOf(_plan).Select(start => start.Name).Order(), tables.Skip(1).Order());
    }

    [Fact]
    public void Of_a_race_it_has_the_verdict_and_the_standings_and_says_so_in_short()
    {
        PolicyDocument Named(string name) => BuiltinPolicies.Get("occ").Document with { Name = name };
        var (own, ic3) = (Named("found-3"), Named("ic3"));
        var race = new RaceVerdict(
            [new(own, [120, 130], IsOut: false), new(ic3, [60, 70], IsOut: true)], own, ic3, [(120, 80), (130, 85)],
            new(1.5, 1.25, 1.8));
        var result = TableTrainer.Run(_plan, _ => { }, CancellationToken.None).DecidedBy(race);

        Assert.True(result.IsBetter);
        Assert.Equal("found", result.Found.Name);
        var written = TrainingProvenance.Write(_plan, result, "digest", "micro", DateTimeOffset.UnixEpoch);
        using var json = JsonDocument.Parse(written);
        var told = json.RootElement.GetProperty("race");
        Assert.Equal(
            ("found-3", "ic3", 0.5),
            (told.GetProperty(
                "found").GetString(), told.GetProperty(
                    "bestBefore").GetString(), told.GetProperty("gain").GetDouble()));
        Assert.Equal(
            [120, 130],
            told.GetProperty("rounds").EnumerateArray().Select(round => round.GetProperty("found").GetDouble()));
        Assert.Equal(
            [false, true],
            told.GetProperty("standings").EnumerateArray().Select(one => one.GetProperty("out").GetBoolean()));
        const string gain = "50.0% (25.0% to 80.0%) more than ic3";
        Assert.Equal($"on a cluster 125/s, {gain}", LearnedDocument.WorthOf(result));
        Assert.Equal(
            $"On a cluster it made {gain}, the best of the others there.",
            TrainingOrigin.Parse(written).Sentences().Last());
        Assert.False(result.DecidedBy(race with { Gain = new(1.5, 0.9, 2.4) }).IsBetter);
    }

    [Fact]
    public void A_rows_worth_is_what_is_lost_without_it()
    {
        // What dirty-public gains over occ here, it gains at the hot record.
        var found = TableTrainer.SpellOut(_plan, BuiltinPolicies.Get("dirty-public").Document);

        var worths = ChangeWorth.Of(_plan, found, BuiltinPolicies.Get("occ").Document, CancellationToken.None);

        Assert.Equal(4, worths.Count);
        Assert.Equal(worths.OrderByDescending(worth => worth.Gain), worths);
        Assert.Contains("Hot.record", worths[0].Site, StringComparison.Ordinal);
    }
}
