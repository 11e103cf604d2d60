namespace Polyjuice.Testing;

/// <summary>A run on a test cluster has failed, and its evidence is kept.</summary>
/// <param name="message">What has failed, the faults, and where the evidence is.</param>
/// <param name="folder">Where the evidence is.</param>
/// <param name="inner">The failure.</param>
public sealed class ClusterRunException(string message, string folder, Exception inner) : Exception(message, inner)
{
    /// <summary>Where the evidence is.</summary>
    public string Folder { get; } = folder;
}
