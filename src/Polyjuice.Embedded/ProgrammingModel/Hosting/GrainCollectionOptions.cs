namespace Orleans.Configuration;

/// <summary>When idle grains leave memory.</summary>
public sealed class GrainCollectionOptions
{
    /// <summary>How long a grain stays in memory unused. Default 15 min; at least 10 ms.</summary>
    public TimeSpan CollectionAge { get; set; } = TimeSpan.FromMinutes(15);
}

/// <summary>How messages between silos behave.</summary>
public sealed class SiloMessagingOptions
{
    /// <summary>How long callers wait for an answer. Default 30 s; at least 10 ms.</summary>
    public TimeSpan ResponseTimeout { get; set; } = TimeSpan.FromSeconds(30);
}
