namespace Polyjuice.Policies;

/// <summary>A transaction type that a policy names, and that nobody can start.</summary>
/// <param name="Type">As the policy writes it.</param>
/// <param name="Nearest">
/// The type whose name is nearest to it, if one is near; otherwise <see langword="null"/>.
/// </param>
internal sealed record UnknownType(string Type, string? Nearest)
{
    /// <summary>For people.</summary>
    public override string ToString() => Nearest is null ? Type : $"{Type} (is it {Nearest}?)";
}
