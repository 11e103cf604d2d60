using Polyjuice.Policies;
using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Scoring;

/// <summary>Judges tables by replaying a workload in virtual time. Thread-safe.</summary>
internal sealed class ReplayEvaluator : ITableEvaluator
{
    private readonly ReplayWorkload _workload;
    private readonly ReplaySettings _settings;

    /// <summary>An evaluator.</summary>
    /// <param name="workload">What is replayed; made for as many silos as the settings have.</param>
    /// <param name="settings">On what; checked here.</param>
    /// <exception cref="System.ComponentModel.DataAnnotations.ValidationException">
    /// A setting is out of its bounds.
    /// </exception>
    public ReplayEvaluator(ReplayWorkload workload, ReplaySettings settings)
    {
        ArgumentNullException.ThrowIfNull(workload);
        ArgumentNullException.ThrowIfNull(settings);
        settings.Validate();
        if (workload.Silos != settings.Silos)
            throw new ArgumentException(
                $"The workload is placed on {workload.Silos} silos, and the replay has {settings.Silos}.",
                nameof(settings));
        _workload = workload;
        _settings = settings;
    }

    /// <inheritdoc/>
    public ReplayScore Evaluate(IPolicyCompiler table, ReplayPart part, ulong seed) =>
        ReplayCluster.Run(_workload, table, _settings, part, seed);
}
