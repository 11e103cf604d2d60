namespace Polyjuice.Lab.Experiments;

/// <summary>
/// Something that a paper has measured, and this repeats. Stateless: what is measured is in its plan.
/// </summary>
/// <remarks>"How to add an experiment" is in docs/internals/contributing.md.</remarks>
internal interface IExperiment
{
    /// <summary>What users type, and its files are called: lower case.</summary>
    string Name { get; }

    /// <summary>One sentence: what is measured, and where it comes from.</summary>
    string Description { get; }

    /// <summary>What to measure, and how to show it.</summary>
    /// <param name="scale">How long it may take.</param>
    ExperimentPlan Plan(ExperimentScale scale);
}
