namespace Polyjuice.Embedded.Serialization;

/// <summary>A codec whose type may have derived types.</summary>
internal interface IExactCodec
{
    /// <summary>Whether instances of exactly the codec's type can't be changed by anyone.</summary>
    bool IsExactImmutable { get; }
}
