namespace Polyjuice.Training.Replay;

/// <summary>
/// How much of each piece of work of <see cref="ReplayCosts"/> a silo has done, or a transaction has taken. Immutable.
/// </summary>
internal readonly record struct ReplayWork
{
    /// <summary>Pieces of work of a silo's loop.</summary>
    public double Turns { get; init; }

    /// <summary>Attempts that began.</summary>
    public double Attempts { get; init; }

    /// <summary>Accesses.</summary>
    public double Accesses { get; init; }

    /// <summary>Grain calls.</summary>
    public double Calls { get; init; }

    /// <summary>Bodies that an exception has ended, calls' and transactions'.</summary>
    public double Failures { get; init; }

    /// <summary>Messages, counted where they are sent and where they arrive.</summary>
    public double Messages { get; init; }

    /// <summary>Batches of messages, the same.</summary>
    public double Batches { get; init; }

    /// <summary>Appends.</summary>
    public double Appends { get; init; }

    /// <summary>What the application computes, in microseconds.</summary>
    public double ComputeMicroseconds { get; init; }

    /// <summary>Both together.</summary>
    public static ReplayWork operator +(ReplayWork left, ReplayWork right) => Both(left, right, static (a, b) => a + b);

    /// <summary>What one has more than the other.</summary>
    public static ReplayWork operator -(ReplayWork left, ReplayWork right) => Both(left, right, static (a, b) => a - b);

    /// <summary>One part of several.</summary>
    public static ReplayWork operator /(ReplayWork work, double parts) => Both(work, default, (a, _) => a / parts);

    /// <summary>Microseconds of one processor that it takes.</summary>
    /// <param name="costs">What each piece costs.</param>
    public double MicrosecondsAt(ReplayCosts costs)
    {
        ArgumentNullException.ThrowIfNull(costs);
        return (Turns * costs.Turn) + (Attempts * costs.Attempt) + (Accesses * costs.Access) + (Calls * costs.Call)
            + (Failures * costs.Failure) + (Messages * costs.Message) + (Batches * costs.Batch)
            + (Appends * costs.Append)
            + (ComputeMicroseconds * costs.ComputeShare);
    }

    private static ReplayWork Both(in ReplayWork left, in ReplayWork right, Func<double, double, double> of) => new()
    {
        Turns = of(left.Turns, right.Turns),
        Attempts = of(left.Attempts, right.Attempts),
        Accesses = of(left.Accesses, right.Accesses),
        Calls = of(left.Calls, right.Calls),
        Failures = of(left.Failures, right.Failures),
        Messages = of(left.Messages, right.Messages),
        Batches = of(left.Batches, right.Batches),
        Appends = of(left.Appends, right.Appends),
        ComputeMicroseconds = of(left.ComputeMicroseconds, right.ComputeMicroseconds),
    };
}
