namespace Polyjuice.Agents;

/// <summary>What runs under one limit.</summary>
/// <param name="Running">Attempts that count, on all silos together.</param>
/// <param name="Silos">How many silos go by the limit; at least 1.</param>
internal readonly record struct SharedLoad(int Running, int Silos);
