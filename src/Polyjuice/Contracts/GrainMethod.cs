namespace Polyjuice.Contracts;

/// <summary>
/// One grain method as an element of caller paths. A host makes one instance per method and keeps it.
/// </summary>
/// <param name="name">Stable across builds ("IAccount.Deposit").</param>
/// <param name="label">From <c>[AccessSite("…")]</c> on the method, else empty.</param>
internal sealed class GrainMethod(string name, string label = "")
{
    /// <summary>The method's name in caller paths; must not contain '&gt;' or white space.</summary>
    public string Name { get; } = name;

    /// <summary>The label of the access sites in it.</summary>
    public string Label { get; } = label;

    /// <inheritdoc/>
    public override string ToString() => Name;
}
