namespace Polyjuice.Orleans.Transactions;

/// <summary>A number that was set.</summary>
/// <param name="value">It.</param>
internal sealed class FixedLimit(int value) : IAdmissionLimit
{
    /// <inheritdoc/>
    public int Value => value;

    /// <inheritdoc/>
    public bool MayRefuse => true;

    /// <inheritdoc/>
    public void Adapt(int open, double perSecond, int ended)
    {
    }

    /// <inheritdoc/>
    public void Answered(int open, bool hasWaited)
    {
    }

    /// <inheritdoc/>
    public void Rest(int open)
    {
    }
}
