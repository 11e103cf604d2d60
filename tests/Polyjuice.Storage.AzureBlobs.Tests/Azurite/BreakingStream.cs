namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>An answer's body whose connection breaks after some bytes.</summary>
internal sealed class BreakingStream(Stream inner, int bytes, Func<Task> atBreak) : Stream
{
    private int _left = bytes;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_left == 0)
        {
            await atBreak();
            throw new IOException("The connection broke (test).");
        }

        var read = await inner.ReadAsync(buffer[..Math.Min(buffer.Length, _left)], cancellationToken);
        _left -= read;
        return read;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush() => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
