using System.Buffers;
using Orleans;
using Orleans.Serialization.Buffers;
using Orleans.Serialization.Codecs;
using Orleans.Serialization.WireProtocol;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Reads a request of a transactional method as a <see cref="TransactionCall"/>: so it is taken over whoever has made
/// it, clients that know nothing of this engine included.
/// </summary>
/// <param name="generated">
/// What Orleans' generator has made for this type of request, and does the reading and writing.
/// </param>
/// <param name="calls">Takes it over.</param>
internal sealed class RequestCodec(IFieldCodec generated, TransactionCalls calls) : IFieldCodec
{
    /// <inheritdoc/>
    public void WriteField<TBufferWriter>(
        ref Writer<TBufferWriter> writer, uint fieldIdDelta, Type? expectedType,
        object? value) where TBufferWriter : IBufferWriter<byte> =>
        generated.WriteField(ref writer, fieldIdDelta, expectedType, value);

    /// <inheritdoc/>
    public object? ReadValue<TInput>(ref Reader<TInput> reader, Field field) =>
        generated.ReadValue(ref reader, field) is TransactionRequestBase request ? calls.Of(request) : null;
}
