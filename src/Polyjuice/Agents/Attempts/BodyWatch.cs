using Polyjuice.Contracts;

namespace Polyjuice.Agents;

/// <summary>
/// Waits for a run of a body until it has ended or is not worth waiting for any longer. One object instead of a task,
/// its source and a method that signals it; not a task that completes when any of several does, which would go on off
/// the turn.
/// </summary>
internal sealed class BodyWatch : TurnAwaitable
{
    private readonly ITransactionBody _body;
    private readonly CallFrame _frame;
    private readonly Task _run;
    private bool _isOver;

    public BodyWatch(ITransactionBody body, CallFrame frame, Task run)
    {
        _body = body;
        _frame = frame;
        _run = run;
        run.GetAwaiter().UnsafeOnCompleted(RunEnded);
    }

    /// <summary>Completes when there is nothing to wait for any longer.</summary>
    public ValueTask Over => End;

    protected override bool HasEnded => _isOver;

    /// <summary>Nobody shall wait any longer.</summary>
    public void Abandon()
    {
        if (_isOver) return;
        _isOver = true;
        Ended();
    }

    /// <summary>After <see cref="Over"/>: the run leaves its frame.</summary>
    /// <param name="failure">What the run threw.</param>
    /// <returns>False when it has not ended.</returns>
    public bool TryExit(out Exception? failure)
    {
        failure = null;
        var hasEnded = _run.IsCompleted;
        try
        {
            if (hasEnded) _run.GetAwaiter().GetResult();
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        _frame.Exit(failure);
        return hasEnded;
    }

    private void RunEnded()
    {
        // Observed, whoever still waits for it.
        _ = _run.Exception;
        _body.RunEnded(_frame);
        Abandon();
    }
}
