using System.Buffers;
using Orleans.Serialization.Buffers;
using Orleans.Serialization.Codecs;
using Orleans.Serialization.Serializers;
using Orleans.Serialization.WireProtocol;

namespace Polyjuice.Orleans.Calls;

/// <summary>Writes a <see cref="TransactionCall"/> as the request that it stands for.</summary>
internal sealed class CallCodec(IServiceProvider services) : IFieldCodec
{
    private ICodecProvider? _codecs;

    /// <inheritdoc/>
    public void WriteField<TBufferWriter>(
        ref Writer<TBufferWriter> writer, uint fieldIdDelta, Type? expectedType,
        object? value) where TBufferWriter : IBufferWriter<byte>
    {
        if (value is not TransactionCall { Request: var request })
        {
            ReferenceCodec.WriteNullReference(ref writer, fieldIdDelta);
            return;
        }

        // Not before, because the codecs' provider asks for this one while it is being made.
        _codecs ??= (ICodecProvider)services.GetService(typeof(ICodecProvider))!;
        _codecs.GetCodec(request.GetType()).WriteField(ref writer, fieldIdDelta, expectedType, request);
    }

    /// <inheritdoc/>
    public object ReadValue<TInput>(ref Reader<TInput> reader, Field field) =>
        throw new NotSupportedException($"A {nameof(TransactionCall)} is never on the wire.");
}
