namespace Polyjuice.Lab.Experiments.Trained;

/// <summary>What a <see cref="TrainedShiftsRun"/> has measured.</summary>
/// <param name="Trainer">Of the silos that train: second by second, and phase by phase.</param>
/// <param name="Began">Of the table that they began with, phase by phase.</param>
/// <param name="Offline">Of tables that were trained for each phase.</param>
internal sealed record TrainedShiftsResult(
    IReadOnlyList<ArmSample> Trainer, IReadOnlyList<ArmSample> Began, IReadOnlyList<ArmSample> Offline);
