using System.Buffers;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// What goes down with a transaction's grain call (<see cref="TransactionCall.Token"/>). Where the call is delivered on
/// the same silo, the very object arrives; where it crosses to another silo, it is serialised. Only then, or where it
/// comes to another engine of the silo, is the caller's engine asked for what must travel. So nobody need know
/// beforehand where a grain lives.
/// </summary>
[GenerateSerializer, Immutable, Alias("Polyjuice.CallToken")]
internal sealed class CallToken
{
    /// <summary>Its name in the request context (<see cref="CallForms"/>).</summary>
    public const string Name = "#polyjuice";

    [NonSerialized]
    private readonly SiloEngine? _engine;

    [NonSerialized]
    private readonly OutgoingCall? _call;

    [NonSerialized]
    private readonly GrainId _target;

    [NonSerialized]
    private byte[]? _bytes;

    [NonSerialized]
    private byte[]? _report;

    [NonSerialized]
    private bool _isLocal;

    [NonSerialized]
    private bool _hasSucceeded;

    /// <summary>For the serialiser.</summary>
    public CallToken()
    {
    }

    /// <summary>Creates it for a call that is about to be made.</summary>
    /// <param name="engine">Where it is made.</param>
    /// <param name="call">The call.</param>
    /// <param name="target">The grain that is called.</param>
    public CallToken(SiloEngine engine, OutgoingCall call, GrainId target)
    {
        _engine = engine;
        _call = call;
        _target = target;
        Caller = engine.Node.Value;
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

    /// <summary>
    /// Whether the call has come from another engine of this silo. Then its report goes back by this object, whatever
    /// filters make of the answer.
    /// </summary>
    /// <param name="engine">Here.</param>
    public bool IsFromBeside(SiloEngine engine) => _engine is not null && _engine != engine;

    /// <summary>
    /// The report of a call that another engine of this silo has run; <see langword="null"/> before it has.
    /// </summary>
    public byte[]? Report
    {
        get => Volatile.Read(ref _report);
        set => Volatile.Write(ref _report, value);
    }

    /// <summary>
    /// Whether the call has run on this silo, at last without a failure: then its answer comes without an info.
    /// </summary>
    public bool HasSucceeded
    {
        get => Volatile.Read(ref _hasSucceeded);
        set => Volatile.Write(ref _hasSucceeded, value);
    }

    /// <summary>
    /// Before <see cref="Enter"/>, off any turn: has what must travel written, if the call has come from another engine
    /// of this silo, and tells that one where it has come.
    /// </summary>
    /// <param name="engine">Here.</param>
    public void Arrive(SiloEngine engine)
    {
        if (!IsFromBeside(engine)) return;
        using (_engine!.Turn.Enter())
        {
            WriteOnTurn();
            _call!.NoteDestination(engine.Node);
        }
    }

    /// <summary>The frame of the call, here. On the engine's turn, after <see cref="Arrive"/>.</summary>
    /// <param name="engine">Here.</param>
    /// <param name="method">The method that is called.</param>
    /// <param name="before">The frame that the call ran in before, if a filter runs it again.</param>
    /// <returns>
    /// <see langword="null"/> for a call that must not run: its transaction is over, or it has come before.
    /// </returns>
    public CallFrame? Enter(SiloEngine engine, GrainMethod method, CallFrame? before)
    {
        if (!ReferenceEquals(_engine, engine))
            return _bytes is null or { Length: 0 }
                ? null
                : before?.Again() ?? engine.Engine.EnterRemoteCall(new(Caller), _bytes, method);
        if (before is not null) return _call!.EnterLocal(method);
        if (IsLocal || _call!.IsDone) return null;
        _isLocal = true;
        return _call.EnterLocal(method);
    }

    private byte[] Write()
    {
        if (_engine is not { } engine) return [];
        using (engine.Turn.Enter()) return WriteOnTurn();
    }

    /// <summary>Has what must travel written. On the turn of the engine that makes the call.</summary>
    public byte[] WriteOnTurn()
    {
        if (_bytes is not null) return _bytes;
        if (_call!.IsDone) return _bytes = [];
        var output = new ArrayBufferWriter<byte>(256);

        // Where it probably goes: the engine is quicker to notice a loss when it knows.
        var places = _engine!.Places;
        var destination = places.View.Map.OwnerOf(places.PartitionOf(_target));
        _call.WriteToken(destination == _engine.Node ? NodeId.None : destination, output);
        return _bytes = output.WrittenSpan.ToArray();
    }
}
