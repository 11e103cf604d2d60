namespace Polyjuice.Testing;

/// <summary>A run on a test cluster has failed, and its evidence is kept. The message has all of it.</summary>
public sealed class ClusterRunException : Exception
{
    /// <summary>Says what has failed.</summary>
    /// <param name="message">What has failed, the faults, and where the evidence is.</param>
    /// <param name="folder">Where the evidence is.</param>
    /// <param name="inner">The failure.</param>
    internal ClusterRunException(string message, string folder, Exception inner) : base(message, inner) =>
        Folder = folder;

    /// <summary>Where the evidence is.</summary>
    public string Folder { get; }
}
