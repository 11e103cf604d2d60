using System.Diagnostics;
using System.Globalization;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Cli.Checking;

/// <summary>Measures how much faster than the wall clock virtual time runs when there is little to do.</summary>
internal static class LightLoad
{
    private const int Runs = 5;

    /// <summary>In a line for people.</summary>
    public static string Describe()
    {
        var virtualTime = 0L;
        var watch = Stopwatch.StartNew();
        for (var seed = 1UL; seed <= Runs; seed++)
            virtualTime +=
                Simulator.Run(new RunCase
                {
                    Seed = seed, Shape = Shapes.Light, Faults = FaultKinds.None
                }).VirtualMicroseconds;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"light load      {virtualTime / 1e6:F0} s of virtual time in {watch.Elapsed.TotalSeconds:F2} s: "
            + $"{virtualTime / 1e6 / watch.Elapsed.TotalSeconds:F0}× real time");
    }
}
