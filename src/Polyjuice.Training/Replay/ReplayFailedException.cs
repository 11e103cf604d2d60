namespace Polyjuice.Training.Replay;

/// <summary>A replay came upon something that no trace and no table may cause: a defect, not a bad table.</summary>
/// <param name="message">What, and which seed shows it again.</param>
/// <param name="inner">What it was found by.</param>
internal sealed class ReplayFailedException(string message, Exception? inner = null) : Exception(message, inner);
