using System.Buffers;
using Polyjuice.Contracts;
using Polyjuice.Versions;

namespace Polyjuice.Tests.Versions;

public class StateVersionTests
{
    private readonly StateAdapter<byte[]> _adapter = new(new ReversedBytes());

    [Fact]
    public void A_state_that_is_itself_an_array_of_bytes_is_not_taken_for_an_encoded_one()
    {
        var version = new StateVersion(null!, default, null, null) { Content = new byte[] { 1, 2, 3 } };
        Assert.Equal([1, 2, 3], (byte[])version.GetValue(_adapter));
    }

    [Fact]
    public void What_the_log_has_is_decoded_once()
    {
        var version = new StateVersion(null!, default, null, null) { Content = new EncodedState([1, 2, 3]) };
        var value = version.GetValue(_adapter);
        Assert.Equal([3, 2, 1], (byte[])value);
        Assert.Same(value, version.GetValue(_adapter));
    }

    [Fact]
    public void A_version_without_content_has_the_initial_value() =>
        Assert.Empty((byte[])new StateVersion(null!, default, null, null).GetValue(_adapter));

    // Encodes visibly: what is decoded by mistake differs.
    private sealed class ReversedBytes : IStateCodec<byte[]>
    {
        public string Name => "reversed";

        public bool IsImmutable => false;

        public byte[] Create() => [];

        public byte[] Copy(byte[] value) => [.. value];

        public void Encode(byte[] value, IBufferWriter<byte> output) => output.Write(value.Reverse().ToArray());

        public byte[] Decode(ReadOnlySpan<byte> bytes) => [.. bytes.ToArray().Reverse()];
    }
}
