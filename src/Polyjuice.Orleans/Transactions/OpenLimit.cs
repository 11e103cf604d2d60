using Polyjuice.Agents;
using Polyjuice.Waits;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// How many transactions a silo opens at a time, which it finds out: as many as keep its processors busy, and no more
/// than get on beside each other. Looked at every few milliseconds while others wait to begin.
/// </summary>
/// <remarks>
/// <para>
/// By what waits for a processor, as CockroachDB's admission control: where much waits, the limit is lowered a little,
/// and where processors are free, it is raised. So a silo whose transactions wait for logs opens as many as that takes.
/// </para>
/// <para>
/// By what waits for each other: "half and half" (Carey, Krishnamurthi, Livny, "Load control for locking", PODS 1990).
/// Processors are free when most of those that are open wait for one another, and each more that is opened makes these
/// waits longer and their cycles more. So the limit falls while more than half wait, but not below
/// <see cref="FewPerProcessor"/>, which leaves room for transactions that have nothing to do with those.
/// </para>
/// <para>Not thread-safe.</para>
/// </remarks>
/// <param name="processors">How many there are.</param>
/// <param name="pending">Work items that wait for a processor, for each of them.</param>
/// <param name="patience">How long one waits at the most before it begins.</param>
internal sealed class OpenLimit(int processors, Func<double> pending, TimeSpan patience) : IPlaceLimit
{
    /// <summary>
    /// The limit at first, for each processor: more bring little, even where nobody waits for anybody.
    /// </summary>
    public const int FirstPerProcessor = 64;

    /// <summary>Waits for each other do not lower the limit below this for each processor.</summary>
    public const int FewPerProcessor = 32;

    // Crowded processors do not lower it below this for each of them.
    private const int LeastPerProcessor = 4;

    private const double Crowded = 32;
    private const double Free = 8;

    // What the engine holds back begins in this part of the patience: its time runs, and it is not refused any more.
    private const int HeldShare = 4;

    /// <summary>How many may be open.</summary>
    public int Value { get; private set; } = FirstPerProcessor * processors;

    /// <summary>What is under way at the silo's engine. Nothing, until set.</summary>
    public Func<EngineLoad> Load { get; set; } = static () => default;

    /// <summary>
    /// Lowers the limit by a sixteenth, or leaves it, or raises it: by a sixteenth at the most, and by no more than
    /// have ended, as a connection's window in slow start (Jacobson, "Congestion avoidance and control", SIGCOMM 1988).
    /// It takes a while until it shows that those that were opened wait for each other. Where nothing ends it still
    /// rises by one, because what is open may wait for what is not.
    /// </summary>
    /// <param name="open">How many are open.</param>
    /// <param name="perSecond">How many end in a second; 0 if that is not known.</param>
    /// <param name="ended">How many have ended since the last look.</param>
    public void Adapt(int open, double perSecond, int ended)
    {
        var (load, waiting) = (Load(), pending());
        var step = Math.Max(1, Value / 16);

        // What is open beyond the limit has still to leave before that can show.
        if (waiting >= Crowded && open <= Value) Lower(step, LeastPerProcessor * processors);
        else if ((DoMostWait(load) || load.Held > 2 * MostHeld(perSecond)) && open <= Value)
            Lower(step, FewPerProcessor * processors);
        else if (waiting < Free && open >= Value && !DoManyWait(load) && load.Held <= MostHeld(perSecond))
            Value += Math.Clamp(ended, 1, step);
    }

    /// <summary>
    /// Nobody waits to begin. Where fewer are open than at first may be, nothing says any more that a higher limit is
    /// right: what comes next may be others, that wait for each other (as a connection's window after a pause: RFC
    /// 2861).
    /// </summary>
    /// <param name="open">How many are open.</param>
    public void Rest(int open)
    {
        if (open < FirstPerProcessor * processors) Value = Math.Min(Value, FirstPerProcessor * processors);
    }

    private void Lower(int step, int least) => Value = Math.Max(Math.Min(Value, least), Value - step);

    private bool DoMostWait(EngineLoad load) => IsMuch(load) && 2L * load.Waits > load.Known;

    // Between a third and a half it stays as it is.
    private bool DoManyWait(EngineLoad load) => IsMuch(load) && 3L * load.Waits > load.Known;

    private bool IsMuch(EngineLoad load) => load.Known >= FewPerProcessor * processors / 2;

    // Where nothing ends, or it is not known yet how much does, few are enough.
    private double MostHeld(double perSecond) =>
        Math.Max(FewPerProcessor * processors, perSecond * patience.TotalSeconds / HeldShare);
}
