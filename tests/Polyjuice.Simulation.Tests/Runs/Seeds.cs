using System.Globalization;
using Polyjuice.Contracts;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Tests.Runs;

/// <summary>Runs random shapes by seed, and says of a failing one how to see it again.</summary>
internal static class Seeds
{
    /// <summary>Runs one; a failure is run once more with a trace, which being deterministic shows the same.</summary>
    public static RunResult Run(
        ulong seed, FaultKinds faults, ProtocolBreaks breaks = ProtocolBreaks.None,
        StorageKind storage = StorageKind.Plain, Action<DeviceStorage>? made = null, string shape = Shapes.Small)
    {
        var run = new RunCase
        {
            Seed = seed, Shape = shape, Faults = faults, Breaks = breaks, Storage = storage, StorageMade = made
        };
        try
        {
            return Simulator.Run(run);
        }
        catch (SimulationFailedException e)
        {
            SimulationFailedException? traced = null;
            try
            {
                Simulator.Run(run, trace: true);
            }
            catch (SimulationFailedException again)
            {
                traced = again;
            }

            if (traced is null)
                throw new SimulationFailedException(
                    "nondeterminism", $"seed {seed} failed once ({e.Message}), and passed with a trace", e);
            throw new SimulationFailedException(
                traced.Kind,
                $"SIMULATION_SEEDS={seed} SIMULATION_FAULTS={FaultNames.Format(faults)} SIMULATION_BREAKS=\"{breaks}\" "
                + $"SIMULATION_STORAGE={storage} SIMULATION_SHAPE={shape} dotnet test --filter "
                + $"Named_by_the_environment\n{traced.Message}\n{string.Join('\n', traced.Trace)}",
                traced);
        }
    }

    /// <summary>The seeds that the environment names ("17", "1-500"), or the default.</summary>
    public static IEnumerable<ulong> Named(string byDefault)
    {
        var range = (Environment.GetEnvironmentVariable("SIMULATION_SEEDS") ?? byDefault).Split('-');
        var from = ulong.Parse(range[0], CultureInfo.InvariantCulture);
        var to = ulong.Parse(range[^1], CultureInfo.InvariantCulture);
        for (var seed = from; seed <= to; seed++) yield return seed;
    }
}
