namespace Polyjuice.Simulation.Faults;

/// <summary>Faults at steps of one kind of a run: what happens to a message or append of that kind, or right after
/// it.</summary>
/// <remarks>
/// <para>A message or an append of that kind is itself lost, doubled, late or failed, where the fault is one of
/// messages or of appends.
/// Any other fault strikes once the message has been handled, or the record written, and before anybody hears of
/// it.</para>
/// <para>As text: <c>silo-crash@Prepare#2</c>, <c>loss@Outcome#1x3</c> (three in a row),
/// <c>late-write@log.Commit%30</c> (of 100 each 30).</para>
/// </remarks>
/// <param name="Fault">One kind.</param>
/// <param name="Step">Which message or record.</param>
/// <param name="Nth">The first that it happens to, counted over the whole run; 0 where <paramref name="Percent"/>
/// says how often.</param>
/// <param name="Times">How many in a row; at least 1. Whatever strikes silos happens once.</param>
/// <param name="Percent">To how many of 100 it happens, 1 to 100; 0 where <paramref name="Nth"/> says to which.</param>
internal readonly record struct Aim(FaultKinds Fault, ProtocolStep Step, int Nth, int Times = 1, int Percent = 0)
{
    private const FaultKinds OfMessages = FaultKinds.Loss | FaultKinds.Duplication | FaultKinds.Delay;
    private const FaultKinds OfAppends = FaultKinds.ErrorBeforeWrite | FaultKinds.ErrorAfterWrite | FaultKinds.LateWrite
        | FaultKinds.SlowStorage;

    /// <summary>What may strike a message, or a silo once it has handled it.</summary>
    public const FaultKinds AtMessages = OfMessages | OfSilos;

    /// <summary>What may strike an append, or a silo once it is written.</summary>
    public const FaultKinds AtRecords = OfAppends | OfSilos;

    private const FaultKinds OfSilos = FaultKinds.Crash | FaultKinds.CrashMidBatch | FaultKinds.Outage
        | FaultKinds.SlowSilo | FaultKinds.RivalOwner | FaultKinds.MistakenDeath
            | FaultKinds.Partition | FaultKinds.OneWayPartition | FaultKinds.ClockJump;

    /// <summary>What happens to a message or an append itself.</summary>
    internal const FaultKinds OfSteps = OfMessages | OfAppends;

    /// <summary>Whether it happens to the message or append itself, rather than after it.</summary>
    public bool IsOfStep => (Fault & OfSteps) != 0;

    /// <summary>Reads one.</summary>
    /// <exception cref="ArgumentException">It is none; the message says why.</exception>
    public static Aim Parse(string text)
    {
        if (text.Split('@') is not [var fault, var target] || target.Split('#', '%') is not [var name, var count])
            throw new ArgumentException(
                $"'{text}' is no aim; one is fault@step#nth, fault@step#nthxtimes or fault@step%percent, such as "
                + "loss@Outcome#1x3.");
        var kind = FaultNames.Parse(fault);
        var step = ProtocolStep.Parse(name);
        if (!FaultLedger.Kinds.Contains(kind) || ((step.IsRecord ? AtRecords : AtMessages) & kind) == 0)
            throw new ArgumentException($"'{text}' is no aim: {fault} can't be aimed at {step}.");
        var numbers = count.Split('x');
        if (target.Contains('%', StringComparison.Ordinal))
        {
            if (numbers.Length == 1 && TryRead(count, out var percent) && percent <= 100)
                return new Aim(kind, step, 0, 1, percent);
            throw new ArgumentException($"'{text}' is no aim: what comes after % is a number from 1 to 100.");
        }

        var times = 1;
        if (numbers.Length > 2 || !TryRead(numbers[0], out var nth)
            || (numbers.Length == 2 && !TryRead(numbers[1], out times)))
            throw new ArgumentException(
                $"'{text}' is no aim: what comes after # is a number of at least 1, or two such as 1x3.");
        return new Aim(kind, step, nth, times);
    }

    /// <inheritdoc/>
    public override string ToString() =>
        $"{FaultNames.NameOf(Fault)}@{Step}{(Percent > 0 ? $"%{Percent}" : $"#{Nth}{(Times > 1 ? $"x{Times}" : "")}")}";

    private static bool TryRead(string text, out int number) =>
        int.TryParse(text, System.Globalization.CultureInfo.InvariantCulture, out number) && number >= 1;
}
