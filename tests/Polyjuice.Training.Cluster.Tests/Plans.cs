using Polyjuice.Policies;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Races;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Tests;

/// <summary>Trainings that are over in seconds.</summary>
internal static class Plans
{
    private const int Clients = 8;

    /// <summary>One of an application, in which a table is in force that is all that must be beaten.</summary>
    public static ClusterTrainingPlan Of(AccessTrace trace, TrainedApplication application, PolicyDocument parent)
    {
        var settings = new ReplaySettings { Clients = Clients, Silos = 2 }.WithMeasured(100);
        return new ClusterTrainingPlan
        {
            Trace = trace,
            Digest = TraceDigest.Of(trace),
            Application = application,
            Training = new TrainingPlan
            {
                Workload = ReplayWorkload.Of(trace, 2), Settings = settings, Name = "found", Parent = parent,
                Starts = [parent], Budget = new SearchBudget(TimeSpan.FromHours(1), 12), TrialReplays = 2,
            },
            Cluster = new ClusterOptions
            {
                Clients = Clients, Interval = TimeSpan.FromSeconds(0.2), Warmup = TimeSpan.FromSeconds(0.1),
                Calibration = TimeSpan.FromSeconds(1.5),
            },
            Race = new RaceOptions { RoundsMax = 2 },
            VerdictRounds = 3,
        };
    }
}
