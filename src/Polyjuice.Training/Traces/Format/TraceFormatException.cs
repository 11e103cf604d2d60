namespace Polyjuice.Training.Traces;

/// <summary>
/// A file is no trace, is of a newer version, or does not go together
/// with the others. The message says which file, and what to do.
/// </summary>
/// <param name="message">What is wrong.</param>
/// <param name="inner">The cause, if there is one.</param>
internal sealed class TraceFormatException(string message, Exception? inner = null) : IOException(message, inner);
