namespace Polyjuice.Training.Cluster;

/// <summary>
/// A test cluster did not start, or a silo of it has ended, so
/// that nothing was measured. The message says where and why.
/// </summary>
/// <param name="message">For people.</param>
/// <param name="innerException">The cause, if it is known.</param>
internal sealed class ClusterFailedException(
    string message, Exception? innerException = null) : Exception(message, innerException);
