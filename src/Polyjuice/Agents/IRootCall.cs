namespace Polyjuice.Agents;

/// <summary>
/// The call that a transaction began with. What is in it is the business of the host, which makes it, and of who
/// records calls.
/// </summary>
internal interface IRootCall;
