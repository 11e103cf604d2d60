using Polyjuice.Policies;
using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Scoring;

/// <summary>Judges a table. Called from several threads at a time.</summary>
internal interface ITableEvaluator
{
    /// <summary>
    /// Replays it once. The same table, part and seed give the same; different tables with the same part and seed meet
    /// the same transactions, so that they are compared in pairs.
    /// </summary>
    /// <param name="table">Which.</param>
    /// <param name="part">On which part of the trace.</param>
    /// <param name="seed">Of everything that is drawn.</param>
    /// <exception cref="ReplayFailedException">The engine or the replay is broken.</exception>
    ReplayScore Evaluate(IPolicyCompiler table, ReplayPart part, ulong seed);
}
