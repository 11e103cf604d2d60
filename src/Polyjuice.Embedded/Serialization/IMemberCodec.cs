namespace Polyjuice.Embedded.Serialization;

/// <summary>A codec that carries its type's values member by member.</summary>
internal interface IMemberCodec
{
    /// <summary>The type.</summary>
    Type Type { get; }

    /// <summary>Whether instances of exactly <see cref="Type"/> can't be changed by anyone.</summary>
    bool IsExactImmutable { get; }

    /// <summary>An instance whose members are about to be set.</summary>
    object Create();

    /// <summary>Tells of the members.</summary>
    void Describe(IMemberVisitor visitor);
}
