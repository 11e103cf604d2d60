using System.IO.Pipelines;

namespace Polyjuice.Testing;

/// <summary>
/// What leaves over a line. It is written straight to the connection until the line gets slow for the first time; from
/// then on it goes through a <see cref="DelayLine"/>. For one writer, as every pipe's end.
/// </summary>
internal sealed class LineWriter : PipeWriter
{
    private readonly PipeWriter _direct;
    private readonly NetworkLine _line;
    private PipeWriter _active;
    private bool _hasUnflushed;

    public LineWriter(PipeWriter direct, NetworkLine line)
    {
        _direct = _active = direct;
        _line = line;
    }

    private bool IsDirect => ReferenceEquals(_active, _direct);

    /// <inheritdoc/>
    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        Begin();
        return _active.GetMemory(sizeHint);
    }

    /// <inheritdoc/>
    public override Span<byte> GetSpan(int sizeHint = 0)
    {
        Begin();
        return _active.GetSpan(sizeHint);
    }

    /// <inheritdoc/>
    public override void Advance(int bytes) => _active.Advance(bytes);

    /// <inheritdoc/>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        if (IsDirect && _line.IsCut) return new(new FlushResult(isCanceled: true, isCompleted: true));
        _hasUnflushed = false;
        return _active.FlushAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public override void CancelPendingFlush() => _active.CancelPendingFlush();

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null) =>
        // With an exception, the other end does not see what was not flushed.
        _active.Complete(_line.IsCut ? NetworkConnection.Severed() : exception);

    private void Begin()
    {
        if (!_hasUnflushed && IsDirect && _line.IsSlow)
        {
            var pipe = DelayLine.NewPipe();
            _active = pipe.Writer;
            DelayLine.Start(pipe.Reader, _direct, _line);
        }

        _hasUnflushed = true;
    }
}
