namespace SiloHosting.Settings;

/// <summary>The paths on the management port.</summary>
public static class SiloEndpoints
{
    /// <summary>
    /// Answers 200 once the silo has started: it has joined the cluster and taken its partitions over.
    /// </summary>
    public const string Started = "/health/started";

    /// <summary>
    /// Answers 200 while the silo is a member of the cluster and serves
    /// its partitions, and 503 while it starts, recovers or drains.
    /// </summary>
    public const string Ready = "/health/ready";

    /// <summary>
    /// Answers 200 as long as the process can answer at all, and 503
    /// when only a restart helps. Calls no grain and asks nobody else.
    /// </summary>
    public const string Live = "/health/live";

    /// <summary>Measurements, in Prometheus' text format.</summary>
    public const string Metrics = "/metrics";

    /// <summary>
    /// The live view: a page for people, which answers this machine alone; <c>kubectl port-forward</c> is from there.
    /// </summary>
    public const string LiveView = "/polyjuice";

    /// <summary>
    /// What the cluster's trainer is at, as JSON, if the silos have one (<see cref="TrainerSettings.Enabled"/>).
    /// </summary>
    public const string Trainer = "/trainer";
}
