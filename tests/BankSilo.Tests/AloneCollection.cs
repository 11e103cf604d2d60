namespace BankSilo.Tests;

/// <summary>
/// Tests that read a silo's metrics, while no other silo is in the process. OpenTelemetry takes instruments of one name
/// in a process for one and the same, and forgets it when the host of one of them is gone.
/// </summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class AloneCollection
{
    /// <summary>What such tests name.</summary>
    public const string Name = "alone";
}
