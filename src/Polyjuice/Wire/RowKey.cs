namespace Polyjuice.Wire;

/// <summary>
/// A partition that is one state of one grain, kept in a row of
/// its own instead of in a log: what every node calls it by.
/// </summary>
/// <param name="Grain">The grain's identity as text.</param>
/// <param name="State">The state's name within the grain.</param>
internal readonly record struct RowKey(string Grain, string State)
{
    public override string ToString() => $"{Grain}.{State}";
}
