namespace Polyjuice.Versions;

/// <summary>Something that time may have to be done with: in one <see cref="DueWheel{T}"/> at the most.</summary>
internal interface IHasDuePlace
{
    /// <summary>The wheel's alone.</summary>
    ref DuePlace Due { get; }
}
