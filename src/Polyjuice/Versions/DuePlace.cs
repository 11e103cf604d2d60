namespace Polyjuice.Versions;

/// <summary>
/// Where in a <see cref="DueWheel{T}"/> something is; as a field of that, so that it is taken out without a search.
/// </summary>
internal struct DuePlace
{
    // One more than the slot, so that what was never put in says so without being told.
    private int _slot;

    /// <summary>The slot, or -1 while it is in none.</summary>
    public int Slot
    {
        readonly get => _slot - 1;
        set => _slot = value + 1;
    }

    /// <summary>Its place in the slot.</summary>
    public int At { get; set; }

    /// <summary>Whether it is in the wheel.</summary>
    public readonly bool IsTaken => _slot > 0;
}
