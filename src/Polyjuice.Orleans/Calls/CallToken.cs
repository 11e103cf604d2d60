using System.Buffers;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// What goes down with a transaction's grain call, in its request context. Where the call is delivered on the same
/// silo, the very object arrives, because it is immutable to Orleans' copier; where it crosses to another silo, it is
/// serialised, and only then is the engine asked for what must travel. So nobody need know beforehand where a grain
/// lives.
/// </summary>
[GenerateSerializer, Immutable, Alias("Polyjuice.CallToken")]
internal sealed class CallToken
{
    /// <summary>Its name in the request context.</summary>
    public const string Name = "#polyjuice";

    [NonSerialized]
    private readonly SiloEngine? _silo;

    [NonSerialized]
    private readonly OutgoingCall? _call;

    [NonSerialized]
    private readonly GrainId _target;

    [NonSerialized]
    private byte[]? _bytes;

    [NonSerialized]
    private bool _isLocal;

    /// <summary>For the serialiser.</summary>
    public CallToken()
    {
    }

    /// <summary>Creates it for a call that is about to be made.</summary>
    /// <param name="silo">Where it is made.</param>
    /// <param name="call">The call.</param>
    /// <param name="target">The grain that is called.</param>
    public CallToken(SiloEngine silo, OutgoingCall call, GrainId target)
    {
        _silo = silo;
        _call = call;
        _target = target;
        Caller = silo.Node.Value;
    }

    /// <summary>The node that made the call.</summary>
    [Id(0)]
    public long Caller { get; set; }

    /// <summary>The engine's bytes; written once, however often the message is.</summary>
    [Id(1)]
    public byte[] Bytes
    {
        get => _bytes ?? Write();
        set => _bytes = value;
    }

    /// <summary>Tells the call from all others, if the grain runs one call at a time.</summary>
    [Id(2)]
    public Guid Key { get; set; }

    /// <summary>
    /// Whether the callee's frame was made from this object, so that
    /// no report comes back with the answer. On the engine's turn.
    /// </summary>
    public bool IsLocal => _isLocal;

    /// <summary>The frame of the call, here. On the engine's turn.</summary>
    /// <param name="silo">Here.</param>
    /// <param name="method">The method that is called.</param>
    /// <param name="before">The frame that the call ran in before, if a filter runs it again.</param>
    /// <returns>
    /// <see langword="null"/> for a call that must not run: its transaction is over, or it has come before.
    /// </returns>
    public CallFrame? Enter(SiloEngine silo, GrainMethod method, CallFrame? before)
    {
        if (!ReferenceEquals(_silo, silo))
            return Bytes.Length == 0
                ? null
                : before?.Again() ?? silo.Engine.EnterRemoteCall(new(Caller), Bytes, method);
        if (before is not null) return _call!.EnterLocal(method);
        if (IsLocal || _call!.IsDone) return null;
        _isLocal = true;
        return _call.EnterLocal(method);
    }

    private byte[] Write()
    {
        if (_silo is not { } silo) return [];
        using (silo.Turn.Enter())
        {
            if (_bytes is not null) return _bytes;
            if (_call!.IsDone) return _bytes = [];
            var output = new ArrayBufferWriter<byte>(256);

            // Where it probably goes: the engine is quicker to notice a loss when it knows.
            var destination = silo.Places.View.Map.OwnerOf(silo.Places.PartitionOf(_target));
            _call.WriteToken(destination == silo.Node ? NodeId.None : destination, output);
            return _bytes = output.WrittenSpan.ToArray();
        }
    }
}
