using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Grains;

/// <summary>
/// A synthetic body: a small program tree. An access to an account
/// outside of that account's own grain is a call to the grain.
/// </summary>
internal abstract record Step
{
    /// <summary>The program in a line, for traces.</summary>
    public string Describe() => this switch
    {
        ReadStep read => $"read x{read.Account}",
        UpdateStep update => $"update x{update.Account}",
        SequenceStep sequence => $"({string.Join("; ", sequence.Steps.Select(s => s.Describe()))})",
        ParallelStep parallel => $"({string.Join(" | ", parallel.Steps.Select(s => s.Describe()))})",
        CallStep call => $"at x{call.Account} {call.Body.Describe()}",
        ThrowStep thrower => $"throw if {thrower.Message}",
        IfStep branch => $"if … {branch.Then.Describe()} else {branch.Else.Describe()}",
        PauseStep pause => $"pause {pause.Microseconds}",
        GateStep => "gate",
        CatchStep guarded => $"catch {guarded.Body.Describe()}",
        ForgetStep forgotten => $"forget {forgotten.Body.Describe()}",
        DecideStep decide => $"update x{decide.Account} and ask for {decide.Answer}",
        _ => GetType().Name,
    };

    /// <summary>The programs that it is made of, in their order; those of both branches.</summary>
    public IReadOnlyList<Step> Parts => this switch
    {
        SequenceStep sequence => sequence.Steps,
        ParallelStep parallel => parallel.Steps,
        CallStep call => [call.Body],
        IfStep branch => [branch.Then, branch.Else],
        CatchStep guarded => [guarded.Body],
        ForgetStep forgotten => [forgotten.Body],
        _ => [],
    };

    public static Step Read(int account) => new ReadStep(account);

    public static Step Update(int account, long delta = 0) => new UpdateStep(account, delta, long.MinValue);

    /// <summary>Takes money and throws inside the update when there is too little.</summary>
    public static Step Withdraw(int account, long amount) => new UpdateStep(account, -amount, amount);

    /// <summary>Adds what the body's view and the balance say.</summary>
    public static Step Adjust(int account, Func<View, long, long> delta) =>
        new UpdateStep(account, 0, long.MinValue, delta);

    public static Step Sequence(params Step[] steps) => new SequenceStep(steps);

    public static Step Parallel(params Step[] steps) => new ParallelStep(steps);

    public static Step Call(int account, Step body) => new CallStep(account, body);

    public static Step Throw(string message) => new ThrowStep(_ => true, message);

    public static Step ThrowIf(Func<View, bool> condition, string message) => new ThrowStep(condition, message);

    public static Step If(Func<View, bool> condition, Step then, Step? otherwise = null) =>
        new IfStep(condition, then, otherwise ?? Sequence());

    public static Step Pause(long microseconds) => new PauseStep(microseconds);

    public static Step Wait(Gate gate) => new GateStep(gate);

    /// <summary>User code that swallows whatever its callee threw.</summary>
    public static Step Catch(Step body) => new CatchStep(body);

    /// <summary>A call whose answer nobody awaits.</summary>
    public static Step Forget(Step body) => new ForgetStep(body);

    /// <summary>Updates, and has a service outside asked at the commit. Once in a transaction.</summary>
    public static Step Decide(int account, StepAnswer answer, long delay) => new DecideStep(account, answer, delay);
}

internal sealed record ReadStep(int Account) : Step;

internal sealed record UpdateStep(
    int Account, long Delta, long RequiredBalance, Func<View, long, long>? DeltaOf = null) : Step;

internal sealed record SequenceStep(IReadOnlyList<Step> Steps) : Step;

internal sealed record ParallelStep(IReadOnlyList<Step> Steps) : Step;

internal sealed record CallStep(int Account, Step Body) : Step;

internal sealed record ThrowStep(Func<View, bool> Condition, string Message) : Step;

internal sealed record IfStep(Func<View, bool> Condition, Step Then, Step Else) : Step;

internal sealed record PauseStep(long Microseconds) : Step;

internal sealed record GateStep(Gate Gate) : Step;

internal sealed record CatchStep(Step Body) : Step;

internal sealed record ForgetStep(Step Body) : Step;

internal sealed record DecideStep(int Account, StepAnswer Answer, long Delay) : Step;

/// <summary>Where a body stops until the test lets it go on. Once open it stays open.</summary>
internal sealed class Gate
{
    private readonly TaskCompletionSource _open = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>How many bodies have come to the gate.</summary>
    public int Arrivals { get; private set; }

    public Task Arrive()
    {
        Arrivals++;
        return _open.Task;
    }

    public void Open() => _open.TrySetResult();
}

/// <summary>What a body's user code throws.</summary>
internal sealed class UserException(string message) : Exception(message);

/// <summary>A grain call got no answer.</summary>
internal sealed class CallFailedException(string message) : Exception(message);
