using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Tests.Tracing;

/// <summary>A sink in memory whose flushes a test holds or fails.</summary>
internal sealed class HeldSink : ITraceSink
{
    private readonly MemoryTraceSink _files = new();

    public IReadOnlyList<(string Name, byte[] Content)> Files => _files.Files;

    /// <summary>The trace of all that was written.</summary>
    public AccessTrace Read() => TraceFile.Read(_files).Trace;

    /// <summary>What the next flushes wait for.</summary>
    public Task Held { get; set; } = Task.CompletedTask;

    /// <summary>How many of the next writes fail.</summary>
    public int Failing { get; set; }

    public async Task<Stream> CreateAsync(string name, CancellationToken cancellationToken) =>
        new HeldStream(this, await _files.CreateAsync(name, cancellationToken));

    private sealed class HeldStream(HeldSink sink, Stream inner) : MemoryStream
    {
        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (sink.Failing-- > 0) throw new IOException("The disk is full.");
            return inner.WriteAsync(buffer, cancellationToken);
        }

        public override Task FlushAsync(CancellationToken cancellationToken) => sink.Held;
    }
}
