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
    private readonly Task? _run;
    private Exception? _failure;
    private bool _hasEnded;
    private bool _isOver;

    /// <summary>Of a run of which the body's host says itself when it has ended.</summary>
    public BodyWatch(ITransactionBody body, CallFrame frame)
    {
        _body = body;
        _frame = frame;
    }

    /// <summary>Of a run that is a task.</summary>
    public BodyWatch(ITransactionBody body, CallFrame frame, Task run)
        : this(body, frame)
    {
        _run = run;
        run.GetAwaiter().UnsafeOnCompleted(TaskEnded);
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
        failure = _failure;
        var hasEnded = _run?.IsCompleted ?? _hasEnded;
        try
        {
            if (hasEnded) _run?.GetAwaiter().GetResult();
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        _frame.Exit(failure);
        return hasEnded;
    }

    /// <summary>The run has ended, however late. On the engine's turn; once.</summary>
    /// <param name="failure">What it threw.</param>
    public void RunEnded(Exception? failure)
    {
        _failure = failure;
        _hasEnded = true;
        _body.RunEnded(_frame);
        Abandon();
    }

    private void TaskEnded()
    {
        // Observed, whoever still waits for it.
        _ = _run!.Exception;
        _body.RunEnded(_frame);
        Abandon();
    }
}
