namespace Polyjuice.Orleans.Transactions;

/// <summary>A number that was set.</summary>
/// <param name="value">It.</param>
internal sealed class FixedLimit(int value) : IPlaceLimit
{
    /// <inheritdoc/>
    public int Value => value;
}
