using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Training.Replay;

/// <summary>
/// What a silo's processors do for the parts of a transaction, in microseconds of one processor. Fractions count.
/// <see cref="Scoring.CostCalibration"/> fits them to what a cluster has recorded. The defaults are rough: who searches
/// for a table fits them first.
/// </summary>
internal sealed record ReplayCosts
{
    /// <summary>A piece of work of a silo's loop: a continuation, a timer, an arriving batch. Default 1.6.</summary>
    [Range(0.05, 1e6)]
    public double Turn { get; init; } = 1.6;

    /// <summary>An attempt: its start and its commit or abort at the agent. Default 16.</summary>
    [Range(0, 1e6)]
    public double Attempt { get; init; } = 16;

    /// <summary>An access, besides what its body computes. Default 4.</summary>
    [Range(0, 1e6)]
    public double Access { get; init; } = 4;

    /// <summary>A grain call, at the silo that serves it. Default 6.</summary>
    [Range(0, 1e6)]
    public double Call { get; init; } = 6;

    /// <summary>
    /// A body that an exception ends, a call's or a transaction's: it is thrown once more at each await, and goes to
    /// the caller with its stack trace. Default 40.
    /// </summary>
    [Range(0, 1e6)]
    public double Failure { get; init; } = 40;

    /// <summary>A message, once where it is sent and once where it arrives. Default 3.</summary>
    [Range(0, 1e6)]
    public double Message { get; init; } = 3;

    /// <summary>A batch of messages, the same. Default 4.</summary>
    [Range(0, 1e6)]
    public double Batch { get; init; } = 4;

    /// <summary>An append, where it is begun. Default 10.</summary>
    [Range(0, 1e6)]
    public double Append { get; init; } = 10;

    /// <summary>
    /// What share of the compute time that the trace has for an access is added to it. Default 0: the fitted costs
    /// stand for it, because a trace's estimate includes what the recorded silo did meanwhile.
    /// </summary>
    [Range(0, 100)]
    public double ComputeShare { get; init; }

    /// <summary>All of them times a factor, as on a machine that is so much slower.</summary>
    /// <param name="factor">Above 0.</param>
    public ReplayCosts Scaled(double factor)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(factor);
        return this with
        {
            Turn = Math.Max(0.05, Turn * factor), Attempt = Attempt * factor, Access = Access * factor,
            Call = Call * factor, Failure = Failure * factor, Message = Message * factor, Batch = Batch * factor,
            Append = Append * factor,
        };
    }
}
