namespace Polyjuice.Isolation;

/// <summary>
/// Reads histories in Jepsen's op format, one JSON object on a line:
/// <c>{"index":0,"type":"invoke","process":0,"time":0,"f":"txn","value":[["append",1,7],["r","x",null]]}</c>.
/// </summary>
/// <remarks>
/// <c>type</c> is invoke, ok, fail or info; a key is a whole number or text; an append's element and a write's
/// (<c>"w"</c>) value are whole numbers; a read has null, a whole number (a register) or an array of whole numbers (a
/// list). <c>value</c> may be null in fail and info. <c>error</c> is allowed and ignored; every other field, blank
/// lines, and anything that does not fit are refused with line and field.
/// </remarks>
internal static class HistoryReader
{
    /// <summary>Reads a whole history from a file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="HistoryException">A line is malformed, or the operations are not a history.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static History Read(string path, CancellationToken cancellation = default)
    {
        using var text = File.OpenText(path);
        return Read(text, cancellation);
    }

    /// <summary>Reads a whole history.</summary>
    /// <param name="text">The lines.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="HistoryException">A line is malformed, or the operations are not a history.</exception>
    public static History Read(TextReader text, CancellationToken cancellation = default)
    {
        List<Operation> operations = [.. ReadOperations(text, cancellation)];
        try
        {
            return new History(operations);
        }
        catch (HistoryException refusal) when (refusal.Index is { } index)
        {
            // Every operation has a line of its own; of two with one index, the second is at fault.
            throw HistoryException.AtLine(
                operations.FindLastIndex(o => o.Index == index) + 1, refusal.Field, refusal.Message, refusal);
        }
    }

    /// <summary>
    /// Reads operation by operation, and keeps none. They may fail to make a history together;
    /// <see cref="History(IEnumerable{Operation})"/> sees that.
    /// </summary>
    /// <param name="text">The lines.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="HistoryException">A line is malformed; thrown when the enumeration comes to it.</exception>
    public static IEnumerable<Operation> ReadOperations(TextReader text, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Lines();

        IEnumerable<Operation> Lines()
        {
            for (var line = 1L; text.ReadLine() is { } content; line++)
            {
                cancellation.ThrowIfCancellationRequested();
                yield return OperationParser.Parse(content, line);
            }
        }
    }
}
