using Polyjuice.Publishing;
using Polyjuice.Tracing;
using Polyjuice.Training.Service;

namespace Polyjuice.Cli.Training.Trainer;

/// <summary>What a trainer is made of.</summary>
/// <param name="Options">What it does.</param>
/// <param name="Traces">Where silos write traces.</param>
/// <param name="Repository">Where it publishes.</param>
/// <param name="TrainingOf">
/// How it trains; hears in lines what is done. <see langword="null"/> for by replays alone.
/// </param>
internal sealed record TrainerSetup(
    TrainerOptions Options, ITraceSource Traces, PolicyRepository Repository,
    Func<TextWriter, ITableTraining>? TrainingOf);
