using System.Diagnostics.Metrics;
using Polyjuice.Simulation.Clusters;

namespace Polyjuice.Tests.Agents;

/// <summary>The meter of one node's engine: those of other tests have the same name.</summary>
internal static class EngineMeter
{
    /// <summary>Hears instruments of it.</summary>
    public static MeterListener Listen(SimulatedNode node, params string[] names)
    {
        var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (ReferenceEquals(instrument.Meter.Scope, node.Policies) && names.Contains(instrument.Name))
                self.EnableMeasurementEvents(instrument);
        };
        listener.Start();
        return listener;
    }
}
