using System.Text;
using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded.Simulated;

/// <summary>
/// Finds code that waits for something that no simulation brings about: it would wait for ever, or until another thread wakes it
/// up at a moment that is different in every run.
/// </summary>
internal static class Stillness
{
    /// <summary>How much virtual time lies between two looks, in microseconds: a look costs as much as there are grains in memory.</summary>
    public const long Period = 20_000;

    /// <summary>What waits for nothing that can come, given that nothing is about to happen; <see langword="null"/> if all is well.</summary>
    public static string? Find(SimulatedWorld world, Node client)
    {
        // A timer that repeats itself may wake anyone up.
        if (world.AliveSilos.Any(static silo => silo.Activations.Any(static activation => activation.HasTimers))) return null;
        var stuck = new StringBuilder();
        if (client.Pending.IsEmpty && ((SimulatedLoop)client.Loop).Housekeeping == 0) stuck.Append("the client waits, but for no grain call");
        foreach (var silo in world.AliveSilos)
        {
            foreach (var activation in silo.Activations.Where(IsStuck))
            {
                if (stuck.Length > 0) stuck.Append("; ");
                stuck.Append($"code of {activation.GrainId} on {silo.Name} waits, but for no grain call and no transactional state");
            }
        }

        return stuck.Length == 0 ? null : stuck.ToString();
    }

    /// <summary>Whose answers are waited for.</summary>
    public static string Describe(SimulatedWorld world)
    {
        var lines = world.Alive.SelectMany(static node => node.Pending.Where(static _ => true).Select(call =>
            $"{(call.Caller as Activation)?.GrainId.ToString() ?? node.Name} waits for {call.Call.Method.PathElement}"
            + (call.Destination == Hosting.NodeId.None ? ", which has no owner yet" : $" at {call.Destination}")));
        var busy = world.Alive.Where(static node => ((SimulatedLoop)node.Loop).Housekeeping > 0).Select(static node => $"the engine of {node.Name} {node.Id} has something unfinished");
        var grains = world.AliveSilos.SelectMany(static silo => silo.Activations.Where(static activation => activation.Running > 0).Select(activation => $"{activation.GrainId} on {silo.Name} runs"));
        return string.Join("; ", lines.Concat(busy).Concat(grains).Take(20));
    }

    private static bool IsStuck(Activation activation)
    {
        var isBusy = activation.Running > 0 || activation.State == ActivationState.Activating;
        // A transaction that waits to start gets its turn, whatever becomes of those before it; one that waits for reservations gets them, or goes on without.
        return isBusy && activation.AccessesWaiting == 0 && activation.Silo.Engine is { HeldAttempts: 0, IsReserving: false }
            && activation.Silo.Pending.Where(call => ReferenceEquals(call.Caller, activation)).Count == 0;
    }
}
