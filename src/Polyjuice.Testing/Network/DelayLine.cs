using System.Buffers;
using System.Diagnostics;
using System.IO.Pipelines;
using System.Threading.Channels;

namespace Polyjuice.Testing;

/// <summary>
/// Takes bytes as they come, and hands each piece on when its time has passed and neither end stands still, in order.
/// Ends with its source, or when the line is cut.
/// </summary>
internal sealed class DelayLine
{
    private readonly PipeReader _source;
    private readonly PipeWriter _target;
    private readonly NetworkLine _line;
    private readonly CancellationTokenSource _closed = new();
    private readonly Channel<(long Due, byte[] Bytes)> _under =
        Channel.CreateUnbounded<(long, byte[])>(new() { SingleReader = true, SingleWriter = true });

    private DelayLine(PipeReader source, PipeWriter target, NetworkLine line)
    {
        _source = source;
        _target = target;
        _line = line;
    }

    /// <summary>A pipe for one end. What is under way has no bound: it takes time, not room.</summary>
    public static Pipe NewPipe() => new(new PipeOptions(pauseWriterThreshold: 0, useSynchronizationContext: false));

    /// <summary>Begins. Whoever reads the target, and whoever writes to the source, hears of the end.</summary>
    public static void Start(PipeReader source, PipeWriter target, NetworkLine line)
    {
        var delay = new DelayLine(source, target, line);
        using (ExecutionContext.SuppressFlow())
        {
            _ = Task.Run(delay.TakeAsync);
            _ = Task.Run(delay.GiveAsync);
        }
    }

    private async Task TakeAsync()
    {
        Exception? failure = null;
        try
        {
            for (var due = 0L; ;)
            {
                var read = await _source.ReadAsync().ConfigureAwait(false);
                if (!read.Buffer.IsEmpty)
                {
                    // A delay that gets shorter lets nothing overtake.
                    due = Math.Max(
                        due, Stopwatch.GetTimestamp() + (long)(_line.Delay.TotalSeconds * Stopwatch.Frequency));
                    _under.Writer.TryWrite((due, read.Buffer.ToArray()));
                }

                _source.AdvanceTo(read.Buffer.End);

                // Whoever closes a connection does not wait for what is under way to it.
                if (read.IsCanceled) await _closed.CancelAsync().ConfigureAwait(false);
                if (read.IsCompleted || read.IsCanceled) break;
            }
        }
        catch (Exception exception)
        {
            // The connection has broken: whoever reads what is left hears it behind that.
            failure = exception;
        }

        _under.Writer.TryComplete(failure);
        await _source.CompleteAsync(failure).ConfigureAwait(false);
    }

    private async Task GiveAsync()
    {
        Exception? failure = null;
        try
        {
            await foreach (var (due, bytes) in _under.Reader.ReadAllAsync().ConfigureAwait(false))
            {
                await AtLeast.UntilAsync(due, _closed.Token).ConfigureAwait(false);
                await _line.PassAsync().AsTask().WaitAsync(_closed.Token).ConfigureAwait(false);
                if (_line.IsCut) throw NetworkConnection.Severed();
                var flush = await _target.WriteAsync(bytes).ConfigureAwait(false);
                if (flush.IsCompleted) break;
            }
        }
        catch (Exception exception)
        {
            if (!_closed.IsCancellationRequested) failure = exception;
        }

        // What comes from now on is nobody's: the source still runs dry.
        _source.CancelPendingRead();
        await _target.CompleteAsync(failure).ConfigureAwait(false);
    }
}
