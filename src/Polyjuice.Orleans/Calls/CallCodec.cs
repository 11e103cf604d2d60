using System.Buffers;
using Orleans;
using Orleans.Serialization;
using Orleans.Serialization.Buffers;
using Orleans.Serialization.Codecs;
using Orleans.Serialization.Serializers;
using Orleans.Serialization.WireProtocol;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Writes a <see cref="TransactionCall"/> as the request that it stands for. What goes along with it is around that:
/// the request context would be copied, and its keys written, several times on the way of each call.
/// </summary>
internal sealed class CallCodec(TransactionCalls calls, IServiceProvider services) : IFieldCodec
{
    /// <summary>What a call with something around it is called on the wire.</summary>
    public const string Alias = "Polyjuice.Call";

    // Its fields.
    private const uint Sent = 0;
    private const uint Token = 1;
    private const uint Request = 2;

    private Parts? _parts;

    // Not before, because the codecs' provider asks for this one while it is being made.
    private Parts Known => _parts ??= new(services);

    /// <inheritdoc/>
    public void WriteField<TBufferWriter>(
        ref Writer<TBufferWriter> writer, uint fieldIdDelta, Type? expectedType,
        object? value) where TBufferWriter : IBufferWriter<byte>
    {
        if (value is not TransactionCall call)
        {
            ReferenceCodec.WriteNullReference(ref writer, fieldIdDelta);
            return;
        }

        var request = Known.Codecs.GetCodec(call.Request.GetType());
        if (call is { Sent: null, Token: null })
        {
            request.WriteField(ref writer, fieldIdDelta, expectedType, call.Request);
            return;
        }

        ReferenceCodec.MarkValueField(writer.Session);
        writer.WriteFieldHeader(fieldIdDelta, expectedType, typeof(TransactionCall), WireType.TagDelimited);
        var last = 0u;
        if (call.Sent is not null) Known.Sent.WriteField(ref writer, Sent, typeof(SentCall), call.Sent);
        if (call.Token is not null)
        {
            Known.Token.WriteField(ref writer, Token, typeof(CallToken), call.Token);
            last = Token;
        }

        request.WriteField(ref writer, Request - last, typeof(TransactionRequestBase), call.Request);
        writer.WriteEndObject();
    }

    /// <inheritdoc/>
    public object? ReadValue<TInput>(ref Reader<TInput> reader, Field field)
    {
        if (field.WireType == WireType.Reference) return ReferenceCodec.ReadReference(ref reader, field.FieldType);
        field.EnsureWireTypeTagDelimited();
        ReferenceCodec.MarkValueField(reader.Session);
        TransactionCall? call = null;
        SentCall? sent = null;
        CallToken? token = null;
        var id = 0u;
        while (true)
        {
            var part = reader.ReadFieldHeader();
            if (part.IsEndBaseOrEndObject) break;
            id += part.FieldIdDelta;
            if (id == Sent) sent = Known.Sent.ReadValue(ref reader, part);
            else if (id == Token) token = Known.Token.ReadValue(ref reader, part);
            else if (id == Request) call = ReadRequest(ref reader, part);
            else reader.ConsumeUnknownField(part);
        }

        if (call is null) throw new SerializerException($"A {Alias} has come without its request.");
        call.Sent = sent;
        call.Token = token;
        return call;
    }

    private TransactionCall ReadRequest<TInput>(ref Reader<TInput> reader, Field field) =>
        calls.Of((TransactionRequestBase)Known.Codecs.GetCodec(field.FieldType!).ReadValue(ref reader, field)!);

    private sealed class Parts(IServiceProvider services)
    {
        public ICodecProvider Codecs { get; } = (ICodecProvider)services.GetService(typeof(ICodecProvider))!;

        public IFieldCodec<SentCall> Sent => field ??= Codecs.GetCodec<SentCall>();

        public IFieldCodec<CallToken> Token => field ??= Codecs.GetCodec<CallToken>();
    }
}
