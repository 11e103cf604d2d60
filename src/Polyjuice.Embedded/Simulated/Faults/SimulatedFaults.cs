using System.ComponentModel.DataAnnotations;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Embedded;

/// <summary>
/// How often what goes wrong. Virtual times in microseconds. Rates of crashes, cuts, rivals, slow silos and clock jumps are
/// probabilities per event of the run, so that they strike anywhere; those of network and storage are per message and append.
/// </summary>
public sealed record SimulatedFaults
{
    /// <summary>Nothing goes wrong.</summary>
    public static SimulatedFaults None { get; } = new();

    /// <summary>A silo dies; another incarnation starts after up to <see cref="RestartMax"/>.</summary>
    [Range(0.0, 1.0)]
    public double Crashes { get; init; }

    /// <summary>The most crashes of one run. Default 8.</summary>
    [Range(0, 1_000_000)]
    public int CrashesMax { get; init; } = 8;

    /// <summary>A crashed silo comes back after up to this long. Default 100 ms.</summary>
    [Range(1d, 60_000_000d)]
    public long RestartMax { get; init; } = 100_000;

    /// <summary>Another silo takes over a partition whose owner lives and has not been told: its grains are active twice.</summary>
    [Range(0.0, 1.0)]
    public double RivalOwners { get; init; }

    /// <summary>Two nodes lose sight of each other, or one of them of the other, for up to <see cref="CutMax"/>.</summary>
    [Range(0.0, 1.0)]
    public double Cuts { get; init; }

    /// <summary>How long a cut lasts at the most. Default 100 ms.</summary>
    [Range(1d, 60_000_000d)]
    public long CutMax { get; init; } = 100_000;

    /// <summary>A silo's turns and timers take up to 100 times as long, for up to <see cref="SlowMax"/>.</summary>
    [Range(0.0, 1.0)]
    public double SlowSilos { get; init; }

    /// <summary>How long a silo stays slow at the most. Default 100 ms.</summary>
    [Range(1d, 60_000_000d)]
    public long SlowMax { get; init; } = 100_000;

    /// <summary>A node's clock jumps to anywhere within <see cref="ClockJumpMax"/> of the right time.</summary>
    [Range(0.0, 1.0)]
    public double ClockJumps { get; init; }

    /// <summary>How far off a clock may jump. Default 20 ms. Beyond half of <c>MaxClockSkewMicroseconds</c>, nodes refuse each other's messages.</summary>
    [Range(0d, 60_000_000d)]
    public long ClockJumpMax { get; init; } = 20_000;

    /// <summary>Messages that are lost.</summary>
    [Range(0.0, 1.0)]
    public double MessageLoss { get; init; }

    /// <summary>Messages that arrive twice. Calls outside of transactions never do, as on a connection.</summary>
    [Range(0.0, 1.0)]
    public double MessageDuplication { get; init; }

    /// <summary>Messages that are late by up to 20 ms more, and so come out of order.</summary>
    [Range(0.0, 1.0)]
    public double MessageDelay { get; init; }

    /// <summary>Appends that are reported as failed: before the write, after it, or before it turns up after all.</summary>
    [Range(0.0, 1.0)]
    public double AppendErrors { get; init; }

    /// <summary>Appends and reads of logs that are late by up to 30 ms more.</summary>
    [Range(0.0, 1.0)]
    public double SlowAppends { get; init; }

    /// <summary>Random rates of the kinds named, some of them zero: from calm to a handful of each in a short run.</summary>
    public static SimulatedFaults Random(ulong seed, SimulatedFaultKinds kinds = SimulatedFaultKinds.All)
    {
        var random = new SimulationRandom(SimulationRandom.Mix(seed) ^ 0xFA017);
        double Rate(SimulatedFaultKinds kind, double most)
        {
            // Drawn in any case, so that leaving one kind out changes no other.
            var isOn = random.Chance(0.75);
            var rate = random.NextDouble() * most;
            return isOn && kinds.HasFlag(kind) ? rate : 0;
        }

        return new SimulatedFaults
        {
            Crashes = Rate(SimulatedFaultKinds.Crashes, 0.001),
            RivalOwners = Rate(SimulatedFaultKinds.RivalOwners, 0.001),
            Cuts = Rate(SimulatedFaultKinds.Network, 0.001),
            SlowSilos = Rate(SimulatedFaultKinds.SlowSilos, 0.001),
            ClockJumps = Rate(SimulatedFaultKinds.Clocks, 0.001),
            MessageLoss = Rate(SimulatedFaultKinds.Network, 0.05),
            MessageDuplication = Rate(SimulatedFaultKinds.Network, 0.1),
            MessageDelay = Rate(SimulatedFaultKinds.Network, 0.1),
            AppendErrors = Rate(SimulatedFaultKinds.Storage, 0.2),
            SlowAppends = Rate(SimulatedFaultKinds.Storage, 0.2),
        };
    }
}

/// <summary>Kinds of faults.</summary>
[Flags]
public enum SimulatedFaultKinds
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Messages are lost, doubled and late; nodes lose sight of each other.</summary>
    Network = 1,

    /// <summary>Appends fail, or are slow.</summary>
    Storage = 2,

    /// <summary>Silos die and come back.</summary>
    Crashes = 4,

    /// <summary>Partitions are taken over while their owners live.</summary>
    RivalOwners = 8,

    /// <summary>Clocks jump.</summary>
    Clocks = 16,

    /// <summary>Silos are slow.</summary>
    SlowSilos = 32,

    /// <summary>Everything.</summary>
    All = Network | Storage | Crashes | RivalOwners | Clocks | SlowSilos,
}
