namespace Polyjuice.Isolation;

/// <summary>A history is malformed, so that nothing can be said about it. Says where and what to do.</summary>
public sealed class HistoryException : Exception
{
    /// <summary>Something does not fit at one operation.</summary>
    /// <param name="index">The operation's index.</param>
    /// <param name="field">The field at fault.</param>
    /// <param name="message">What is wrong, and what to do.</param>
    internal HistoryException(long index, string field, string message)
        : base($"Operation {index}, {field}: {message}")
    {
        Index = index;
        Field = field;
    }

    private HistoryException(string message, long line, string field, Exception? inner)
        : base(message, inner)
    {
        Line = line;
        Field = field;
    }

    /// <summary>The operation's index, if it was read.</summary>
    public long? Index { get; }

    /// <summary>The line in the file, from 1, if it came from one and could not be read.</summary>
    public long? Line { get; }

    /// <summary>The field at fault, like <c>value[0][1]</c>.</summary>
    public string Field { get; }

    internal static HistoryException AtLine(long line, string field, string message, Exception? inner = null) =>
        new($"Line {line}, {field}: {message}", line, field, inner);
}
