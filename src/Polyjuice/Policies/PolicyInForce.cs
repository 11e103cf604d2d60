namespace Polyjuice.Policies;

/// <summary>A policy that is, or was, in force in this process.</summary>
/// <param name="Version">1 for the one that it started with; each swap adds 1.</param>
/// <param name="Policy">The policy.</param>
internal sealed record PolicyInForce(int Version, IPolicyCompiler Policy);
