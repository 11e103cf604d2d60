using Polyjuice.Embedded.Serialization;
using Polyjuice.Execution;
using Polyjuice.Storage;

namespace Polyjuice.Embedded.Core;

/// <summary>Makes transactional states of a type that is known only when running.</summary>
internal abstract class TransactionalStateMaker
{
    /// <summary>The state of one activation.</summary>
    public abstract object Create(string name, Activation activation);

    /// <summary>The state of one activation, kept in a row that the activation acquires before it serves.</summary>
    public abstract object CreateInRow(string name, IRowStoreProvider rows, Activation activation);

    /// <summary>Throws when values of the type can't be copied or stored.</summary>
    public abstract void Validate();
}

/// <inheritdoc/>
internal sealed class TransactionalStateMaker<T> : TransactionalStateMaker where T : class, new()
{
    private GrainStateCodec<T>? _codec;

    /// <inheritdoc/>
    public override object Create(string name, Activation activation)
    {
        var key = KeyOf(name, activation);
        return new TransactionalState<T>(activation.Silo.Engine.CreateState(key, _codec ??= new GrainStateCodec<T>(), !activation.Class.IsReentrant), activation);
    }

    /// <inheritdoc/>
    public override object CreateInRow(string name, IRowStoreProvider rows, Activation activation)
    {
        var key = KeyOf(name, activation);
        var codec = _codec ??= new GrainStateCodec<T>();
        var engine = activation.Silo.Engine;
        var row = rows.Open<T>(key.Grain, key.State);
        activation.AddRow(new GrainRow(key, engine, cancellationToken => engine.AcquireRowAsync(key, codec, row, cancellationToken)));
        return new TransactionalState<T>(engine.CreateRowState(key, codec, !activation.Class.IsReentrant), activation);
    }

    private static ParticipantKey KeyOf(string name, Activation activation) => new(activation.GrainId.ToString(), name, activation.Class.Name);

    /// <inheritdoc/>
    public override void Validate() => GrainStateCodec.Validate(typeof(T));
}
