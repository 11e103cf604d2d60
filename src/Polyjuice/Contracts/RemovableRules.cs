using System.Diagnostics.CodeAnalysis;

namespace Polyjuice.Contracts;

/// <summary>
/// Whether this process may remove rules of the engine (<see cref="ProtocolBreaks"/>). Applications never do: it is
/// decided once, before the first engine is made, so that the compiler of the running process takes every question
/// about a removed rule out of the code, and trimming takes it out of the assembly. Thread-safe.
/// </summary>
internal static class RemovableRules
{
    private const string Switch = "Polyjuice.RemovableRules";

    /// <summary>Whether it may. Tests say so in their project file.</summary>
    [FeatureSwitchDefinition(Switch)]
    internal static bool AreRemovable => Decided.Value;

    /// <summary>Lets this process remove rules. Without effect once options of an engine were read.</summary>
    internal static void Allow() => AppContext.SetSwitch(Switch, true);

    // A constant to the compiler at run time, from the first question on.
    private static class Decided
    {
        internal static readonly bool Value = AppContext.TryGetSwitch(Switch, out var isOn) && isOn;
    }
}
