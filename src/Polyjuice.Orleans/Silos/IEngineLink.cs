using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans;

/// <summary>
/// Carries the batches that a silo's engines send to those of other silos. A service of every silo with
/// <c>UsePolyjuice()</c>; whoever puts another one around it, after that call, sees every such batch. Grain calls do
/// not pass here.
/// </summary>
/// <remarks>
/// A batch may be lost, come late, come twice, or come after later ones: engines cope (invariant I3). It must not be
/// changed, nor be made up of others. Called by any thread, several at once, and never on an engine's turn; must not
/// block.
/// </remarks>
internal interface IEngineLink
{
    /// <summary>Sends a batch, one-way. Returns at once; nobody hears what becomes of it.</summary>
    /// <param name="silo">The silo that it is for; never this one.</param>
    /// <param name="destination">Which of that silo's engines it is for.</param>
    /// <param name="source">The engine that it is from.</param>
    /// <param name="batch">The engine's bytes. They do not change afterwards.</param>
    void Send(SiloAddress silo, NodeId destination, NodeId source, byte[] batch);
}
