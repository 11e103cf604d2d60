namespace Polyjuice.Lab.Workloads.House;

/// <summary>What clients do for a while.</summary>
/// <param name="PayPercent">How many percent are payments, 0 to 100; the others move money.</param>
/// <param name="Houses">Among how many houses payments are spread evenly, 1 to <see cref="HouseWorkload.HousesMax"/>:
/// the fewer, the hotter their purses.</param>
/// <param name="Theta">Skew of the choice of customers who move money; those who pay are any.</param>
public sealed record HousePhase(int PayPercent, int Houses, double Theta)
{
    /// <inheritdoc/>
    public override string ToString() =>
        FormattableString.Invariant(
        $"{PayPercent}% payments at {Houses} house{(Houses == 1 ? "" : "s")}, others θ {Theta:0.##}");
}
