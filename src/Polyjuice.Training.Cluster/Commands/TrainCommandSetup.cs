using Polyjuice.Tracing;

namespace Polyjuice.Training.Cluster.Commands;

/// <summary>What differs between the tool's command and a trainer project's. Immutable.</summary>
internal sealed record TrainCommandSetup
{
    /// <summary>
    /// The application, in a trainer project of its own; <see langword="null"/> in the tool, which loads what
    /// <c>--assembly</c> names.
    /// </summary>
    public TrainedApplication? Application { get; init; }

    /// <summary>
    /// What reads traces at a place that is no file or folder, by the place as it was typed and the option's name;
    /// <see langword="null"/> if it is one.
    /// </summary>
    public Func<string, string, ITraceSource?> SourceAt { get; init; } = static (_, _) => null;
}
