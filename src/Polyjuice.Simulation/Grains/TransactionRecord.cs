using Polyjuice.Contracts;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Grains;

internal enum Outcome
{
    /// <summary>Not ended yet.</summary>
    Running,

    /// <summary>The caller was told that it committed.</summary>
    Committed,

    /// <summary>The caller was told that it aborted.</summary>
    Aborted,

    /// <summary>The caller was told that nobody knows.</summary>
    InDoubt,

    /// <summary>The caller's silo died, so that nobody was told anything.</summary>
    Lost,
}

/// <summary>What a simulated client asks for.</summary>
/// <param name="Type">The transaction's type.</param>
/// <param name="Body">Its program.</param>
/// <param name="IsReadOnly">Declared read-only.</param>
/// <param name="MaxAttempts">0 for the engine's default.</param>
/// <param name="TimeoutMicroseconds">0 for the engine's default.</param>
/// <param name="MayRunDry">Whether its method allows that it is run dry.</param>
internal sealed record TransactionSpec(
    string Type, Step Body, bool IsReadOnly = false, int MaxAttempts = 0, long TimeoutMicroseconds = 0,
    bool MayRunDry = true)
{
    /// <summary>Whether branches of the body run side by side, so that the order of its own accesses is open.</summary>
    public bool HasParallelism { get; } = Branches(Body);

    /// <summary>Whether its commit asks a service outside.</summary>
    public bool HasFinalStep => Body is SequenceStep sequence && sequence.Steps.Any(step => step is DecideStep);

    private static bool Branches(Step step) => step switch
    {
        ParallelStep or ForgetStep => true,
        SequenceStep sequence => sequence.Steps.Any(Branches),
        CallStep call => Branches(call.Body),
        IfStep branch => Branches(branch.Then) || Branches(branch.Else),
        CatchStep guarded => Branches(guarded.Body),
        _ => false,
    };
}

/// <summary>One run of a transaction's body.</summary>
internal sealed class BodyRun(int transaction, int number, BodyRun? resumes = null)
{
    private readonly Dictionary<int, long> _tokens = [];
    private int _accesses;

    public int Transaction { get; } = transaction;

    public int Number { get; } = number;

    /// <summary>Whether the body came to its end without an exception.</summary>
    public bool Completed { get; set; }

    /// <summary>What it saw, calls included; filled in when it ends, one way or the other.</summary>
    public IReadOnlyList<Observation> Observations { get; set; } = [];

    /// <summary>Whether its first part was served from the record of the run before.</summary>
    public bool IsResumed => resumes is not null;

    /// <summary>A token for one update, unlike any other.</summary>
    public long NextToken(int access = 0) => _tokens[access] = new Token(Transaction, Number, ++_accesses).Pack();

    /// <summary>The token of an update that the resumed run does again.</summary>
    public long TokenAgain(int access) =>
        resumes is not null && resumes._tokens.TryGetValue(access, out var token)
            ? _tokens[access] = token
            : NextToken(access);

    public override string ToString() => $"T{Transaction}.{Number}";
}

/// <summary>What an update appends to an account's history.</summary>
internal readonly record struct Token(int Transaction, int Run, int Access)
{
    public static Token Unpack(long packed) =>
        new((int)(packed >> 32), (int)(packed >> 12) & 0xFFFFF, (int)packed & 0xFFF);

    public static int TransactionOf(long packed) => (int)(packed >> 32);

    public long Pack() => ((long)Transaction << 32) | ((long)Run << 12) | (long)Access;

    public override string ToString() => $"T{Transaction}.{Run}.{Access}";
}

/// <summary>One transaction as its caller knows it.</summary>
internal sealed class TransactionRecord(int id, TransactionSpec spec, SimulatedNode agent, long started)
{
    private TransactionId _attempt;

    public int Id { get; } = id;

    public TransactionSpec Spec { get; } = spec;

    public SimulatedNode Agent { get; } = agent;

    public long Started { get; } = started;

    /// <summary>Which client of the closed loop asks; −1 for none.</summary>
    public int Client { get; init; } = -1;

    public long Ended { get; private set; }

    public Outcome Outcome { get; private set; }

    public AbortInfo? Abort { get; private set; }

    /// <summary>The user's own exception, when that is why it aborted.</summary>
    public UserException? UserException { get; private set; }

    public List<BodyRun> Runs { get; } = [];

    /// <summary>The only run that can have committed: all earlier ones were aborted before it began.</summary>
    public BodyRun? LastRun => Runs.Count == 0 ? null : Runs[^1];

    /// <summary>The attempt that the last run belongs to.</summary>
    public TransactionId LastAttempt => _attempt;

    public BodyRun BeginRun(TransactionId attempt = default)
    {
        var run = new BodyRun(Id, Runs.Count + 1, attempt != default && attempt == _attempt ? LastRun : null);
        _attempt = attempt;
        Runs.Add(run);
        return run;
    }

    public void End(Outcome outcome, long now, AbortInfo? abort = null, UserException? userException = null)
    {
        if (Outcome != Outcome.Running)
            throw new SimulationFailedException("told-twice", $"T{Id} was told {Outcome} and then {outcome}");
        Outcome = outcome;
        Ended = now;
        Abort = abort;
        UserException = userException;
    }

    public override string ToString() => $"T{Id} {Outcome}{(Abort is null ? "" : $" ({Abort.Reason})")}";
}
