using System.Buffers;
using Orleans.Runtime;
using Polyjuice.Embedded.Invocation;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

internal abstract partial class Node
{
    /// <summary>Takes the messages of a buffer, its argument, at the buffer's destination, and returns the buffer.</summary>
    public static SendOrPostCallback ArriveCallback { get; } = static state => ((MessageBuffer)state!).Destination.Arrive((MessageBuffer)state);

    private readonly ArrayBufferWriter<byte> _scratch = new();

    /// <summary>Whether calls from here are new work wherever they go.</summary>
    protected abstract bool IsClient { get; }

    /// <summary>Whether the message that is being taken had come before.</summary>
    protected bool IsRepetition { get; private set; }

    /// <summary>Takes a request whose header has been read up to the grain.</summary>
    protected abstract void ReceiveRequest(ReadOnlySpan<byte> message);

    /// <summary>A caller has cancelled a request.</summary>
    protected abstract void ReceiveCancel(NodeId caller, long correlation);

    /// <summary>Takes one message.</summary>
    protected void Receive(NodeId source, ReadOnlySpan<byte> message)
    {
        switch ((MessageKind)message[0])
        {
            case MessageKind.Request:
                ReceiveRequest(message);
                break;
            case MessageKind.Response:
                ReceiveResponse(message[1..]);
                break;
            case MessageKind.Cancel:
                var cancel = new WireReader(message[1..], Runtime);
                ReceiveCancel(source, (long)cancel.ReadVarUInt());
                break;
            case MessageKind.Engine:
                Engine.Receive(source, message[1..]);
                break;
            case MessageKind.Forwarded:
                ReceiveForwarded(message[1..]);
                break;
            default:
                throw new WireFormatException($"Message kind {message[0]} is not known.");
        }
    }

    private void Arrive(MessageBuffer buffer)
    {
        var position = 0;
        while (position < buffer.Count && !Loop.IsStopped) Take(buffer.Source, buffer.ReadMessage(ref position));
        buffer.Return();
    }

    /// <summary>Takes a message that came some other way than in a buffer.</summary>
    /// <param name="source">Who sent it.</param>
    /// <param name="message">Its bytes.</param>
    /// <param name="isRepetition">Whether the network has delivered it before.</param>
    public void Deliver(NodeId source, ReadOnlySpan<byte> message, bool isRepetition)
    {
        IsRepetition = isRepetition;
        Take(source, message);
        IsRepetition = false;
    }

    private void Take(NodeId source, ReadOnlySpan<byte> message)
    {
        try
        {
            Receive(source, message);
        }
        catch (Exception exception)
        {
            HostLog.MessageFailed(Logger, exception, source);
        }
    }

    private void WriteRequest(MessageBuffer buffer, CallContext? context, GrainReference target, Invokable call, PendingCall? pending)
    {
        if (pending is not null) Pending.AddRemote(pending);
        ReadOnlySpan<byte> token = default;
        if (pending?.Outgoing is { } outgoing)
        {
            _scratch.ResetWrittenCount();
            outgoing.WriteToken(buffer.Destination.Id, _scratch);
            token = _scratch.WrittenSpan;
        }

        WriteRequest(buffer, new RequestOrigin(Id, pending?.Correlation ?? 0, IsClient && token.IsEmpty, pending?.Hops ?? 0), target.Class!, target.Id.Key, call, token, context?.Values);
    }

    /// <summary>Writes a request, which may be another node's.</summary>
    /// <returns>The message's mark in the buffer.</returns>
    protected int WriteRequest(
        MessageBuffer buffer, RequestOrigin origin, GrainClass grainClass, string key, Invokable call, ReadOnlySpan<byte> token, Dictionary<string, object?>? values)
    {
        var mark = buffer.BeginMessage();
        try
        {
            var flags = RequestFlags.None;
            if (origin.Correlation == 0) flags |= RequestFlags.IsOneWay;
            if (!token.IsEmpty) flags |= RequestFlags.HasToken;
            if (origin.IsNew) flags |= RequestFlags.IsNew;
            if (values is not null) flags |= RequestFlags.HasValues;
            if (call.CancellationToken.CanBeCanceled) flags |= RequestFlags.IsCancellable;

            var writer = new WireWriter(buffer);
            writer.WriteByte((byte)MessageKind.Request);
            writer.WriteByte((byte)flags);
            writer.WriteByte(origin.Hops);
            writer.WriteVarUInt((ulong)origin.Node.Value);
            writer.WriteVarUInt((ulong)origin.Correlation);
            writer.WriteVarUInt((ulong)grainClass.Index);
            writer.WriteString(key);
            writer.WriteVarUInt((ulong)Runtime.Grains.Types.IdOf(call.Method));
            if (!token.IsEmpty) writer.WriteBytes(token);
            if (values is not null) RequestValues.Write(ref writer, values);
            call.WriteArguments(ref writer);
            buffer.EndMessage(mark);
            return mark;
        }
        catch
        {
            buffer.Undo(mark);
            throw;
        }
    }

    private static void WriteCancel(MessageBuffer buffer, PendingCall pending)
    {
        var mark = buffer.BeginMessage();
        var writer = new WireWriter(buffer);
        writer.WriteByte((byte)MessageKind.Cancel);
        writer.WriteVarUInt((ulong)pending.Correlation);
        buffer.EndMessage(mark);
    }

    private void ReceiveResponse(ReadOnlySpan<byte> message)
    {
        var reader = new WireReader(message, Runtime);
        var flags = (ResponseFlags)reader.ReadByte();
        if (Pending.Find((long)reader.ReadVarUInt()) is not { } pending) return;
        var report = flags.HasFlag(ResponseFlags.HasReport) ? reader.ReadBytes() : default;
        Exception? exception = null;
        try
        {
            if (flags.HasFlag(ResponseFlags.IsException)) exception = ExceptionWire.Read(ref reader);
            else pending.Call.ReadResult(ref reader);
        }
        catch (Exception unreadable)
        {
            Fail(pending, unreadable);
            return;
        }

        if (flags.HasFlag(ResponseFlags.HasReport)) pending.Outgoing?.Complete(report);
        else pending.Outgoing?.Fail();
        if (exception is null) Succeed(pending);
        else EndWith(pending, exception);
    }

    private void ReceiveForwarded(ReadOnlySpan<byte> message)
    {
        var reader = new WireReader(message, Runtime);
        if (Pending.Find((long)reader.ReadVarUInt()) is not { } pending) return;
        pending.Destination = new NodeId((long)reader.ReadVarUInt());
        if (Directory.Find(pending.Destination) is null) Fail(pending, Unavailable(pending.Destination));
    }

    private static SiloUnavailableException Unavailable(NodeId node) => new($"Silo {node} died before it answered.");
}
