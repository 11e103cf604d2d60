namespace Polyjuice.CommandLine;

/// <summary>Ctrl-C: the first one ends what is under way in good order; the second one is the system's.</summary>
internal sealed class UserInterrupt : IDisposable
{
    private readonly CancellationToken _stopping;
    private readonly CancellationTokenRegistration _stop;
    private CancellationTokenSource _ending = new();

    /// <summary>Listens from now on.</summary>
    public UserInterrupt() => Console.CancelKeyPress += OnCancel;

    /// <summary>Listens to nobody but a program that ends, which ends everything: nothing is renewed then.</summary>
    /// <param name="stopping">Cancelled when it ends.</param>
    public UserInterrupt(CancellationToken stopping)
    {
        _stopping = stopping;
        _stop = stopping.Register(Interrupt);
    }

    /// <summary>Cancelled by the first one.</summary>
    public CancellationToken Token => _ending.Token;

    /// <summary>Whether there was one, renewed since or not.</summary>
    public bool HasCome { get; private set; }

    /// <summary>
    /// What was ended has ended: the next one ends what comes now,
    /// and has a token of its own. Nothing happens if there was none.
    /// </summary>
    public void Renew()
    {
        // Whoever still holds the old token may ask it; it is never
        // cancelled again, and holds nothing that must be freed.
        if (_ending.IsCancellationRequested && !_stopping.IsCancellationRequested)
            _ending = new CancellationTokenSource();
    }

    /// <summary>Ends what is under way, as Ctrl-C does.</summary>
    public void Interrupt()
    {
        HasCome = true;
        _ending.Cancel();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Console.CancelKeyPress -= OnCancel;
        _stop.Dispose();
        _ending.Dispose();
    }

    private void OnCancel(object? sender, ConsoleCancelEventArgs e)
    {
        e.Cancel = !_ending.IsCancellationRequested;
        Interrupt();
    }
}
