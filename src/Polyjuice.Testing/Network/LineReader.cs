using System.IO.Pipelines;

namespace Polyjuice.Testing;

/// <summary>
/// What arrives over a line. It is read straight from the connection until the line gets slow for the first time; from
/// then on it goes through a <see cref="DelayLine"/>. For one reader, as every pipe's end.
/// </summary>
internal sealed class LineReader : PipeReader
{
    private readonly PipeReader _direct;
    private readonly NetworkLine _line;
    private PipeReader _active;

    public LineReader(PipeReader direct, NetworkLine line)
    {
        _direct = _active = direct;
        _line = line;
    }

    private bool IsDirect => ReferenceEquals(_active, _direct);

    /// <inheritdoc/>
    public override async ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        while (true)
        {
            if (IsDirect && _line.IsSlow) Slow();
            var result = await _active.ReadAsync(cancellationToken).ConfigureAwait(false);
            if (!IsDirect) return result;
            if (_line.IsCut) return new(default, isCanceled: true, isCompleted: true);
            if (!_line.IsSlow || result.IsCanceled) return result;

            // It has become slow meanwhile. What is not consumed is read again, with its delay.
            _direct.AdvanceTo(result.Buffer.Start);
        }
    }

    /// <inheritdoc/>
    public override bool TryRead(out ReadResult result)
    {
        // Nobody polls connections; what is there is read by ReadAsync.
        result = default;
        return false;
    }

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed) => _active.AdvanceTo(consumed);

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) =>
        _active.AdvanceTo(consumed, examined);

    /// <inheritdoc/>
    public override void CancelPendingRead() => _active.CancelPendingRead();

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null)
    {
        _active.Complete(exception);

        // The delay line completes the connection's own end.
        if (!IsDirect) _direct.CancelPendingRead();
    }

    private void Slow()
    {
        var pipe = DelayLine.NewPipe();
        _active = pipe.Reader;
        DelayLine.Start(_direct, pipe.Writer, _line);
    }
}
