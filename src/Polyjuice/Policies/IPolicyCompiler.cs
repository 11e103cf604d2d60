namespace Polyjuice.Policies;

/// <summary>
/// A policy as its author means it, independent of what sites a process has seen so far. Immutable, so any thread may
/// use it. <see cref="PolicySource"/> loads one.
/// </summary>
internal interface IPolicyCompiler
{
    /// <summary>The policy's name.</summary>
    string Name { get; }

    /// <summary>Compiles against what the registry knows now. Called again when the registry has grown.</summary>
    internal PolicyTable Compile(SiteRegistry registry, int version);
}
