namespace Polyjuice.Contracts;

/// <summary>
/// A log says that this node was declared dead: others have settled its transactions without it (V6). It can't serve
/// any more. Its membership tells it so, too, and ends its process.
/// </summary>
/// <param name="log">Where that was read.</param>
internal sealed class DeclaredDeadException(string log) : Exception(
    $"{log} says that this process was declared dead: others have taken over what it served, and have settled its "
    + "transactions without it. It serves nothing any more; start it again.");
