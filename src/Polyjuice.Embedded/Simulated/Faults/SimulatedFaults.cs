using System.ComponentModel.DataAnnotations;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Embedded;

/// <summary>How often what goes wrong in a simulated cluster.</summary>
public sealed record SimulatedFaults
{
    /// <summary>Nothing goes wrong.</summary>
    public static SimulatedFaults None { get; } = new();

    /// <summary>
    /// Silos that die or are slow, nodes that lose sight of each other, clocks that jump, partitions that are taken over while their
    /// owners live; per event of the run, so that they strike anywhere. Its strikes are up to whoever knows the load:
    /// <see cref="SimulatedEmbeddedCluster.Strike"/>.
    /// </summary>
    public FaultProfile Nodes { get; init; } = FaultProfile.None;

    /// <summary>The network meanwhile, in place of <see cref="SimulationOptions.Network"/>. Calls outside of transactions never arrive twice, as on a connection.</summary>
    public NetworkProfile? Network { get; init; }

    /// <summary>The storage meanwhile, in place of <see cref="SimulationOptions.Storage"/>.</summary>
    public StorageProfile? Storage { get; init; }

    /// <summary>
    /// How far off a clock may jump, either way, in microseconds. Default 20 ms; at most 60 s. Beyond half of
    /// <c>MaxClockSkewMicroseconds</c>, nodes refuse each other's messages.
    /// </summary>
    [Range(0d, 60_000_000d)]
    public long ClockJumpMax { get; init; } = 20_000;

    /// <summary>Random rates of the kinds named, some of them zero: from calm to a handful of each kind within some hundred transactions.</summary>
    public static SimulatedFaults Random(ulong seed, FaultKinds kinds = FaultKinds.All)
    {
        var random = new SimulationRandom(SimulationRandom.Mix(seed) ^ 0xFA017);
        double Rate(FaultKinds kind, double most)
        {
            // Drawn in any case, so that leaving one kind out changes no other.
            var isOn = random.Chance(0.75);
            var rate = random.NextDouble() * most;
            return isOn && kinds.HasFlag(kind) ? rate : 0;
        }

        return new SimulatedFaults
        {
            Nodes = new FaultProfile
            {
                Crash = Rate(FaultKinds.Crash, 0.0008),
                CrashMidBatch = Rate(FaultKinds.CrashMidBatch, 0.002),
                Outage = Rate(FaultKinds.Outage, 0.0001),
                SlowSilo = Rate(FaultKinds.SlowSilo, 0.001),
                RivalOwner = Rate(FaultKinds.RivalOwner, 0.001),
                Partition = Rate(FaultKinds.Partition, 0.0005),
                OneWayPartition = Rate(FaultKinds.OneWayPartition, 0.0005),
                ClockJump = Rate(FaultKinds.ClockJump, 0.001),
                CrashesMax = 6,
            },
            Network = new NetworkProfile
            {
                DelayMax = random.Between(150, 2_000),
                Loss = Rate(FaultKinds.Loss, 0.03),
                Duplication = Rate(FaultKinds.Duplication, 0.1),
                Stray = Rate(FaultKinds.Delay, 0.1),
            },
            Storage = new StorageProfile
            {
                DelayMax = random.Between(300, 4_000),
                ErrorBefore = Rate(FaultKinds.ErrorBeforeWrite, 0.06),
                ErrorAfter = Rate(FaultKinds.ErrorAfterWrite, 0.06),
                LateWrite = Rate(FaultKinds.LateWrite, 0.06),
                ReadError = Rate(FaultKinds.ReadError, 0.06),
                Slow = Rate(FaultKinds.SlowStorage, 0.2),
            },
        };
    }
}
