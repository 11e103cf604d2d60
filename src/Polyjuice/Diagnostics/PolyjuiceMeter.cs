using System.Diagnostics.Metrics;

namespace Polyjuice.Diagnostics;

/// <summary>The meter <c>Polyjuice</c>, to which all that measures here adds its instruments.</summary>
internal static class PolyjuiceMeter
{
    /// <summary>Its name, for who listens.</summary>
    public const string Name = "Polyjuice";

    /// <summary>Gets it. Thread-safe.</summary>
    /// <param name="factory">
    /// The host's, if it has one: then the meter is the host's one of this name, ends with the host and not when it is
    /// disposed of, and its scope is the factory. Otherwise it is a new one, which ends when it is disposed of.
    /// </param>
    /// <param name="scope">The scope of a new one.</param>
    internal static Meter Of(IMeterFactory? factory, object? scope = null) =>
        factory is null ? new(new MeterOptions(Name) { Scope = scope }) : factory.Create(Name);
}
