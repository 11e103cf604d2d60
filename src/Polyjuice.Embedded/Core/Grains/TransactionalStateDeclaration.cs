namespace Polyjuice.Embedded.Core;

/// <summary>A transactional state that a grain class's constructor asks for.</summary>
internal sealed class TransactionalStateDeclaration
{
    private readonly TransactionalStateMaker _maker;

    public TransactionalStateDeclaration(string name, string? storageName, Type type)
    {
        Name = name;
        StorageName = storageName;
        Type = type;
        _maker = (TransactionalStateMaker)Activator.CreateInstance(typeof(TransactionalStateMaker<>).MakeGenericType(type))!;
    }

    /// <summary>The state's name.</summary>
    public string Name { get; }

    /// <summary>Where it asks to be kept.</summary>
    public string? StorageName { get; }

    /// <summary>Its type.</summary>
    public Type Type { get; }

    /// <summary>The state of one activation.</summary>
    public object Create(Activation activation) =>
        StorageName is { } storage && activation.Silo.Runtime.Options.RowStores.TryGetValue(storage, out var rows) ? _maker.CreateInRow(Name, rows, activation) : _maker.Create(Name, activation);

    /// <summary>Throws when values of the type can't be copied or stored.</summary>
    public void Validate() => _maker.Validate();
}
