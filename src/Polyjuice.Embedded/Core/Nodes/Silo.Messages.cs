using System.Buffers;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

internal sealed partial class Silo
{
    private readonly ArrayBufferWriter<byte> _report = new();

    /// <inheritdoc/>
    protected override void ReceiveRequest(ReadOnlySpan<byte> message)
    {
        var reader = new WireReader(message, Runtime);
        reader.ReadByte();
        var flags = (RequestFlags)reader.ReadByte();
        var hops = reader.ReadByte();
        var caller = new NodeId((long)reader.ReadVarUInt());
        var correlation = (long)reader.ReadVarUInt();
        var grainClass = Runtime.Grains.Types.Classes[checked((int)reader.ReadVarUInt())];
        var key = reader.ReadString()!;
        var partition = Runtime.Partitions.Of(grainClass, key);
        if (!_isServing[partition] && !(flags.HasFlag(RequestFlags.HasToken) && IsDraining(partition)))
        {
            PassOn(partition, flags, caller, correlation, message);
            return;
        }

        var isOneWay = flags.HasFlag(RequestFlags.IsOneWay);
        var method = Runtime.Grains.Types.Method(checked((int)reader.ReadVarUInt()));
        var token = flags.HasFlag(RequestFlags.HasToken) ? reader.ReadBytes() : default;
        Request request;
        CallFrame? frame = null;
        try
        {
            if (flags.HasFlag(RequestFlags.HasToken))
            {
                // A transaction that is over: nothing of it may run, and nobody waits for it but perhaps an abandoned body.
                frame = Engine.EnterRemoteCall(caller, token, method.PathElement);
                // The call itself is answered, so its copy must not be.
                if (frame is null && IsRepetition) return;
                if (frame is null) throw new Orleans.Runtime.OrleansMessageRejectionException("The call's transaction has already ended.");
            }

            var values = flags.HasFlag(RequestFlags.HasValues) ? RequestValues.Read(ref reader) : null;
            var call = method.Create();
            call.ReadArguments(ref reader);
            var cancellation = flags.HasFlag(RequestFlags.IsCancellable) ? new CancellationTokenSource() : null;
            if (cancellation is not null) call.CancellationToken = cancellation.Token;
            request = new Request(ActivationOf(grainClass, key), call)
            {
                Values = values,
                RemoteCaller = isOneWay ? NodeId.None : caller,
                Correlation = correlation,
                IsNew = flags.HasFlag(RequestFlags.IsNew),
                ArrivedAt = Loop.RecentTime,
                Hops = hops,
                Frame = frame,
                Cancellation = cancellation,
            };
        }
        catch (Exception exception)
        {
            frame?.Exit(null);
            if (isOneWay) HostLog.OneWayFailed(Logger, exception, new(grainClass.Name, key));
            else Respond(caller, correlation, null, null, exception);
            return;
        }

        if (request.Cancellation is not null && !isOneWay) _cancellable[(caller, correlation)] = request;
        if (flags.HasFlag(RequestFlags.IsNew)) Loop.PostNew(s_dispatch, request);
        else Loop.Post(s_dispatch, request);
    }

    /// <inheritdoc/>
    protected override void ReceiveCancel(NodeId caller, long correlation)
    {
        if (_cancellable.TryGetValue((caller, correlation), out var request)) request.Cancellation!.Cancel();
    }

    // The partition has moved while the request was under way, or is about to be served here.
    private void PassOn(int partition, RequestFlags flags, NodeId caller, long correlation, ReadOnlySpan<byte> message)
    {
        // A transaction knows which nodes it has visited, so its calls are not passed on: it is retried and finds the owner.
        if (flags.HasFlag(RequestFlags.HasToken))
        {
            Respond(caller, correlation, null, null, new Orleans.Runtime.OrleansMessageRejectionException($"{Name} does not serve partition {partition}."));
            return;
        }

        if (Directory[partition] is not { IsServing: true, Owner: { } owner } || ReferenceEquals(owner, this))
        {
            Park(new ParkedRequest(partition, message.ToArray()));
            return;
        }

        var hops = message[RequestOrigin.HopsOffset];
        if (hops >= RequestOrigin.HopsMax)
        {
            if (correlation != 0) Respond(caller, correlation, null, null, new Orleans.Runtime.OrleansMessageRejectionException($"The call was sent on {hops} times and found no silo that serves partition {partition}. Try again."));
            return;
        }

        Relay(BufferTo(owner), message, (byte)(hops + 1));
        if (Directory.Find(caller) is not { } origin || ReferenceEquals(origin, this) || correlation == 0) return;
        var buffer = BufferTo(origin);
        var mark = buffer.BeginMessage();
        var writer = new WireWriter(buffer);
        writer.WriteByte((byte)MessageKind.Forwarded);
        writer.WriteVarUInt((ulong)correlation);
        writer.WriteVarUInt((ulong)owner.Id.Value);
        buffer.EndMessage(mark);
    }

    private void AnswerRemotely(Request request, Exception? exception, bool hasRun) =>
        Respond(request.RemoteCaller, request.Correlation, hasRun ? request.Frame : null, exception is null ? request : null, exception);

    private void Respond(NodeId caller, long correlation, CallFrame? frame, Request? succeeded, Exception? exception)
    {
        // A caller that has died needs no answer.
        if (Directory.Find(caller) is not { } destination) return;
        if (ReferenceEquals(destination, this))
        {
            var buffer = MessageBuffer.Rent(Id, this);
            var mark = WriteResponse(buffer, correlation, frame, succeeded, exception);
            Receive(Id, buffer.MessageAt(mark));
            buffer.Return();
        }
        else
        {
            WriteResponse(BufferTo(destination), correlation, frame, succeeded, exception);
        }
    }

    private int WriteResponse(MessageBuffer buffer, long correlation, CallFrame? frame, Request? succeeded, Exception? exception)
    {
        var mark = buffer.BeginMessage();
        try
        {
            var writer = new WireWriter(buffer);
            writer.WriteByte((byte)MessageKind.Response);
            var flags = frame is null ? ResponseFlags.None : ResponseFlags.HasReport;
            if (succeeded is null) flags |= ResponseFlags.IsException;
            writer.WriteByte((byte)flags);
            writer.WriteVarUInt((ulong)correlation);
            if (frame is not null)
            {
                _report.ResetWrittenCount();
                frame.WriteReport(_report);
                writer.WriteBytes(_report.WrittenSpan);
            }

            if (succeeded is null) ExceptionWire.Write(ref writer, exception!);
            else succeeded.Call.WriteResult(ref writer);
        }
        catch (Exception unwritable)
        {
            buffer.Undo(mark);
            if (succeeded is null) throw;
            return WriteResponse(buffer, correlation, null, null, unwritable);
        }

        buffer.EndMessage(mark);
        return mark;
    }
}
