using Polyjuice.Embedded.Serialization;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Core;

/// <summary>Makes transactional states of a type that is known only when running.</summary>
internal abstract class TransactionalStateMaker
{
    /// <summary>The state of one activation.</summary>
    public abstract object Create(string name, Activation activation);

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
        var key = new ParticipantKey(activation.GrainId.ToString(), name, activation.Class.Name);
        return new TransactionalState<T>(activation.Silo.Engine.CreateState(key, _codec ??= new GrainStateCodec<T>()), activation);
    }

    /// <inheritdoc/>
    public override void Validate() => GrainStateCodec.Validate(typeof(T));
}
